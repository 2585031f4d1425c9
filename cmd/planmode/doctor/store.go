package doctor

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"planmode/plan/text"
	"planmode/store"
)

const lowSpace = 100 << 20

func (r *Report) store(s Surroundings) {
	r.root("store.data", s.Dirs.Data, s.Now)
	if r.ownPlace("store.state", s.Dirs.State) {
		r.root("store.state", s.Dirs.State, s.Now)
	}
	r.ownPlace("store.run", s.Dirs.Run)
	survey, err := store.Look(s.Dirs)
	if err != nil {
		r.fail("store.files", err.Error(), "Check the rights of the directory; nothing was changed.")
	}
	r.faults(survey)
	r.locks(survey.Locks)
	for _, a := range survey.Areas {
		r.ok("disk."+a.Name, "%s, %s", text.Count(a.Count, unit(a.Name)), Bytes(a.Bytes))
	}
}

// root examines a directory that planmode writes to.
func (r *Report) root(what, path string, now func() time.Time) {
	p := store.ProbeRoot(path, now)
	switch {
	case p.Err != nil && p.Missing:
		r.fail(what, fmt.Sprintf("%s does not exist and cannot be made: %v", path, p.Err), "Make the directory above it writable for you, or set PLANMODE_HOME to a place that is.")
	case p.Err != nil:
		r.fail(what, fmt.Sprintf("%s cannot be written: %v", path, p.Err), "Free space or correct the rights, then run planmode doctor again. What is stored is intact.")
	case p.Missing:
		r.ok(what, "%s does not exist yet; the first start makes it", path)
	case runtime.GOOS != "windows" && p.Mode&0o077 != 0:
		r.warn(what, fmt.Sprintf("%s can be used by others (mode %04o)", path, p.Mode), fmt.Sprintf("The next start makes it private; or now: chmod 700 %q", path))
	case p.Free > 0 && p.Free < lowSpace:
		r.warn(what, fmt.Sprintf("%s has %s left", path, Bytes(int64(p.Free))), "Free some space. When the disk is full planmode refuses to write, says so, and loses nothing that it has shown as saved.")
	default:
		r.ok(what, "%s, mode %04o, %s free, a durable write took %v", path, p.Mode, Bytes(int64(p.Free)), p.Took.Round(10*time.Microsecond))
	}
}

// ownPlace says whether a directory is one; planmode refuses to use it through a link,
// since anybody could have put the link there.
func (r *Report) ownPlace(what, path string) bool {
	st, err := os.Lstat(path)
	switch {
	case err != nil:
		return true // missing, which is fine, or no matter of links
	case st.Mode()&fs.ModeSymlink != 0:
		r.fail(what, path+" is a symbolic link, which planmode refuses to follow there", "Replace the link by a directory of your own, or set PLANMODE_HOME.")
	case !st.IsDir():
		r.fail(what, path+" is not a directory", "Move the file away.")
	default:
		return true
	}
	return false
}

func (r *Report) faults(s store.Survey) {
	for _, f := range s.Faults {
		r.warn("store.files", f.Path+" "+f.Why, "Look at it; planmode leaves it alone. What belongs to planmode are private regular files: chmod -R go= on the directory, and move away what is not.")
	}
	switch {
	case s.More > 0:
		r.warn("store.files", fmt.Sprintf("%d more like these", s.More), "Put these right and run planmode doctor again.")
	case len(s.Faults) == 0:
		r.ok("store.files", "only private regular files")
	}
}

// locks says who holds what. A held lock is nothing wrong.
func (r *Report) locks(locks []store.Lock) {
	if len(locks) == 0 {
		r.ok("store.locks", "none is held")
	}
	for _, l := range locks {
		if l.PID == 0 {
			r.ok("store.locks", "%s is held by another process", l.What)
			continue
		}
		r.ok("store.locks", "%s is held by process %d on %s since %s", l.What, l.PID, l.Host, l.Since.UTC().Format(time.RFC3339))
	}
}

func (r *Report) config(s Surroundings, warnings []string) {
	path := filepath.Join(s.Dirs.Config, "config.json")
	for _, w := range warnings {
		r.warn("config", w, "Correct it in "+path+"; planmode config prints what is in force.")
	}
	if len(warnings) > 0 {
		return
	}
	if _, err := os.Stat(path); err != nil {
		r.ok("config", "%s does not exist; the defaults are used", path)
		return
	}
	r.ok("config", "%s has no errors; planmode config prints what is in force", path)
}

func (r *Report) versions(b Build) {
	r.ok("version.planmode", "%s, commit %s", b.Version, b.Commit)
	r.ok("version.go", "%s", b.Go)
	r.ok("version.system", "%s", b.System)
}

// unit is what an area of the store counts.
func unit(area string) string {
	units := map[string]string{"plans": "plan", "sessions": "session", "drafts": "draft"}
	if u := units[area]; u != "" {
		return u
	}
	return "file"
}

// Bytes writes a size for people.
func Bytes(n int64) string {
	if n < 1<<10 {
		return fmt.Sprintf("%d B", n)
	}
	size, units := float64(n), "KMGTP"
	for size >= 1<<10 && len(units) > 0 {
		size /= 1 << 10
		if size < 1<<10 || len(units) == 1 {
			break
		}
		units = units[1:]
	}
	return fmt.Sprintf("%.1f %ciB", size, units[0])
}
