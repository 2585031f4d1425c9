package session

import (
	"context"
	"strings"
	"testing"

	"planmode/plan"
	"planmode/plan/tree"
	"planmode/store"
	"planmode/store/storetest"
)

// modes are the permission modes on record on the branch, with why.
func (r *rig) modes() string {
	var out []string
	for _, e := range r.Items(0) {
		if e.Kind == tree.KindPermissionMode {
			m, _ := tree.Decode[tree.PermissionMode](e)
			out = append(out, string(m.Mode)+" "+string(m.Why))
		}
	}
	return strings.Join(out, ", ")
}

func (r *rig) mode(arg string) {
	r.t.Helper()
	if err := r.SetPermission(context.Background(), arg); err != nil {
		r.t.Fatalf("/mode %s: %v", arg, err)
	}
}

// confirming answers every confirmation and counts them.
func (r *rig) confirming(answer bool) *[]Confirmation {
	var asked []Confirmation
	r.desk.set(func(d *scriptDesk) {
		d.confirm = func(_ context.Context, c Confirmation) (bool, error) {
			asked = append(asked, c)
			return answer, nil
		}
	})
	return &asked
}

func TestAWiderModeIsConfirmedOnceAndRecorded(t *testing.T) {
	r := newRig(t)
	if r.Permission() != plan.PermissionManual || r.modes() != "" {
		t.Fatalf("a new session begins in %s, recorded %q", r.Permission(), r.modes())
	}
	r.confirming(false)
	r.mode("yolo")
	if r.Permission() != plan.PermissionManual || r.modes() != "" || !strings.Contains(r.notices(), "still manual") {
		t.Fatalf("after a no: %s, %q\n%s", r.Permission(), r.modes(), r.notices())
	}
	asked := r.confirming(true)
	for _, arg := range []string{"yolo", "manual", "YOLO ", "auto", "yolo"} {
		r.mode(arg)
	}
	if got := r.modes(); got != "yolo chosen, manual chosen, yolo chosen, auto chosen, yolo chosen" {
		t.Errorf("recorded %q", got)
	}
	if len(*asked) != 2 || !strings.Contains((*asked)[1].Body, plan.AutoApproved) {
		t.Errorf("asked %+v", *asked)
	}
	if v := r.View(); v.Permission != plan.PermissionYolo || v.Mode != "yolo" {
		t.Errorf("the view says %s, %q", v.Permission, v.Mode)
	}
	if err := r.SetPermission(context.Background(), "turbo"); err != ErrModeUsage {
		t.Errorf("a mode that is none gives %v", err)
	}
	r.mode("yolo")
	if !strings.Contains(r.notices(), "yolo already") {
		t.Errorf("the same mode again:\n%s", r.notices())
	}
}

func TestBareModeOffersTheModes(t *testing.T) {
	r := newRig(t)
	r.confirming(true)
	r.mode("")
	if r.modes() != "" {
		t.Fatalf("Escape changed the mode: %q", r.modes())
	}
	r.desk.set(func(d *scriptDesk) { d.ask = chooseLabel("yolo") })
	r.mode("")
	if r.Permission() != plan.PermissionYolo {
		t.Errorf("chosen yolo, in force is %s", r.Permission())
	}
	r.desk.set(func(d *scriptDesk) { d.ask = chooseLabel("yolo (now)") })
	r.mode("")
	if got := r.modes(); got != "yolo chosen" {
		t.Errorf("recorded %q", got)
	}
}

func TestAResumedSessionKeepsAWiderModeOnlyByAYes(t *testing.T) {
	for _, c := range []struct {
		name   string
		answer func(context.Context, Confirmation) (bool, error)
		want   plan.Permission
		modes  string
	}{
		{"kept", yes, plan.PermissionAuto, "auto chosen, auto kept"},
		{"not kept", func(context.Context, Confirmation) (bool, error) { return false, nil }, plan.PermissionManual, "auto chosen, manual dropped"},
		{"nobody answered", func(context.Context, Confirmation) (bool, error) { return false, errNoAnswer }, plan.PermissionManual, "auto chosen"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRig(t)
			r.confirming(true)
			r.mode("auto")
			r.say("hello")
			r.resume()
			if r.Permission() != plan.PermissionManual {
				t.Errorf("before the answer %s is in force", r.Permission())
			}
			var title string
			r.desk.set(func(d *scriptDesk) {
				d.confirm = func(ctx context.Context, q Confirmation) (bool, error) {
					title = q.Title
					return c.answer(ctx, q)
				}
			})
			r.Begin(context.Background(), false)
			if r.Permission() != c.want || r.modes() != c.modes || !strings.Contains(title, "AUTO") {
				t.Errorf("in force %s, recorded %q, asked %q", r.Permission(), r.modes(), title)
			}
		})
	}
}

func TestAResumedManualSessionIsNotAsked(t *testing.T) {
	r := newRig(t)
	asked := r.confirming(true)
	r.mode("yolo")
	r.mode("manual")
	r.say("hello")
	*asked = nil
	r.resume()
	r.Begin(context.Background(), false)
	if len(*asked) != 0 || r.Permission() != plan.PermissionManual {
		t.Errorf("asked %+v, in force %s", *asked, r.Permission())
	}
}

func TestTheStartTakesTheFlagThenTheConfigurationOfANewSessionOnly(t *testing.T) {
	for _, c := range []struct {
		name, config string
		flag         plan.Permission
		resumed      bool
		want         plan.Permission
		modes        string
	}{
		{"nothing says otherwise", "manual", "", false, plan.PermissionManual, ""},
		{"the configuration", "yolo", "", false, plan.PermissionYolo, "yolo config"},
		{"the flag wins", "yolo", plan.PermissionAuto, false, plan.PermissionAuto, "auto flag"},
		{"the flag makes it manual", "yolo", plan.PermissionManual, false, plan.PermissionManual, ""},
		{"an earlier session does not follow the configuration", "yolo", "", true, plan.PermissionManual, ""},
		{"an earlier session follows the flag", "manual", plan.PermissionYolo, true, plan.PermissionYolo, "yolo flag"},
		{"a configuration that is damaged", "turbo", "", false, plan.PermissionManual, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRig(t)
			if !c.resumed {
				_ = r.Close()
				log, err := r.store.CreateLog(tree.Header{Cwd: r.dir})
				if err != nil {
					t.Fatal(err)
				}
				r.openWith(log, false, c.config, c.flag)
			} else {
				r.say("hello")
				_ = r.Close()
				log, err := r.store.OpenLog(r.opt.Session)
				if err != nil {
					t.Fatal(err)
				}
				r.openWith(log, true, c.config, c.flag)
			}
			if r.Permission() != c.want || r.modes() != c.modes {
				t.Errorf("in force %s, recorded %q", r.Permission(), r.modes())
			}
		})
	}
}

func (r *rig) openWith(log *store.Log, resumed bool, mode string, flag plan.Permission) {
	r.t.Helper()
	r.configure = func(o *Options) { o.Config.Mode, o.Permission = mode, flag }
	r.open(log, resumed)
}

func TestAModeThatCannotBeRecordedIsNotWidenedTo(t *testing.T) {
	r := newRig(t)
	r.confirming(true)
	r.fuse.set(&storetest.Rig{At: 1, Kind: storetest.Crash})
	r.mode("yolo")
	if r.Permission() != plan.PermissionManual || !strings.Contains(r.notices(), "still manual") {
		t.Errorf("in force %s\n%s", r.Permission(), r.notices())
	}
	r.fuse.set(nil)
	r.mode("yolo")
	r.fuse.set(&storetest.Rig{At: 1, Kind: storetest.Crash})
	r.mode("manual")
	if r.Permission() != plan.PermissionManual {
		t.Errorf("narrowing waits for the disk: %s", r.Permission())
	}
}

func TestMovingTheBranchNeverWidens(t *testing.T) {
	r := newRig(t)
	r.confirming(true)
	r.mode("yolo")
	r.mode("manual")
	items := r.Items(0)
	r.mu.Lock()
	r.branch = items[:1:1] // as if the branch had moved to where yolo was in force
	r.mu.Unlock()
	r.permissionMoved()
	if r.Permission() != plan.PermissionManual {
		t.Errorf("going back to yolo gave %s", r.Permission())
	}
	r.mode("auto")
	r.mu.Lock()
	r.branch = items[:1:1]
	r.mu.Unlock()
	r.permissionMoved()
	if r.Permission() != plan.PermissionYolo {
		t.Errorf("going back to yolo from auto gave %s", r.Permission())
	}
}
