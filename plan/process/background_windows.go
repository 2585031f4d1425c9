package process

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"

	"golang.org/x/sys/windows"
)

// separate detaches the child from our console, which is the nearest that this
// platform has to a session without a terminal.
func separate(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{
		HideWindow:    true,
		CreationFlags: windows.CREATE_NEW_PROCESS_GROUP | windows.CREATE_NO_WINDOW,
	}
}

func terminateGroup(p *os.Process) { killGroup(p) }

// killGroup ends the tree of processes while the child, its root, still lives.
func killGroup(p *os.Process) {
	if dir, err := windows.GetSystemDirectory(); err == nil {
		_ = exec.Command(filepath.Join(dir, "taskkill.exe"), "/T", "/F", "/PID", strconv.Itoa(p.Pid)).Run()
	}
	_ = p.Kill()
}

// sweep does nothing: once the child is gone its id may be another's.
func sweep(*os.Process) {}

func signalName(*os.ProcessState) string { return "" }
