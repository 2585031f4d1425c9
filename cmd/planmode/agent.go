package main

import (
	"os"

	"planmode/plan/agent/demo"
	"planmode/plan/agent/model"
	"planmode/plan/agent/roster"
	"planmode/store"
)

// newAgent makes the agent of a session. Nothing is asked of a provider or of a
// keyring before a turn runs.
func newAgent(config store.Config, dirs store.Dirs) *roster.Roster {
	models := model.New(model.Options{Config: config, Keys: store.OpenKeys(dirs, nil), Getenv: os.Getenv})
	return roster.New(demo.New(demo.Options{Temp: os.TempDir()}), models, config.Agent, config.Model != "")
}
