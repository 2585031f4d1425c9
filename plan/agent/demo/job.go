package demo

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"planmode/plan"
)

// maxFiles bounds the files of one implementation; the last one holds the rest
// of a longer plan.
const maxFiles = 60

// job is one implementation being acted out.
type job struct {
	ref   plan.Ref
	title string
	notes string
	dir   string // where its files go, never inside the working directory
	files []stepFile
	lang  lang
}

// stepFile is the file that stands for a step.
type stepFile struct {
	path    string
	step    string
	content string
	done    bool
}

// place picks the directory of an implementation. The name holds part of the
// plan's hash, so that every revision has its own and a later turn finds it.
func (a *Agent) place(dir string, ref plan.Ref) (string, bool) {
	cache, _ := os.UserCacheDir()
	for _, temp := range []string{a.temp, os.TempDir(), cache} {
		if temp != "" && filepath.IsAbs(temp) && !within(dir, temp) {
			return filepath.Join(resolve(temp), "planmode-demo-"+ref.Hash.Short()), true
		}
	}
	return "", false
}

// within says whether path is dir or below it, links resolved. What cannot be
// resolved counts as it is written.
func within(dir, path string) bool {
	dir, path = resolve(dir), resolve(path)
	if !strings.EqualFold(filepath.VolumeName(dir), filepath.VolumeName(path)) {
		return false
	}
	rel, err := filepath.Rel(dir, path)
	return err != nil || rel == "." || rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

func resolve(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return filepath.Clean(path)
}

func newJob(t *talk, p approvedPlan, dir string) *job {
	steps := p.steps
	j := &job{ref: *t.turn.Work, title: p.title, notes: p.notes, dir: dir, lang: t.lang}
	if t.turn.Language != string(english) && t.turn.Language != string(chinese) {
		j.lang = languageOf(strings.Join(steps, "\n"))
	}
	for i := range min(len(steps), maxFiles) {
		text := steps[i]
		if i == maxFiles-1 {
			text = strings.Join(steps[i:], "\n")
		}
		f := stepFile{path: filepath.Join(dir, stepName(i+1, steps[i])), step: steps[i]}
		f.content = j.content(i+1, len(steps), text)
		j.files = append(j.files, f)
	}
	return j
}

// mark takes from the conversation which files are written.
func (j *job) mark(t *talk) {
	written := map[string]bool{}
	for _, e := range t.exchanges {
		if e.call.Name == "write" && e.ok() {
			written[arg[writeArgs](e).Path] = true
		}
	}
	for i := range j.files {
		j.files[i].done = written[j.files[i].path]
	}
}

// stepName is the file name of step n.
func stepName(n int, step string) string {
	slug := plan.Slug(step)
	if len(slug) > 32 {
		slug = strings.Trim(slug[:32], "-")
	}
	if slug == "plan" {
		return fmt.Sprintf("step-%02d.md", n)
	}
	return fmt.Sprintf("step-%02d-%s.md", n, slug)
}

func (j *job) content(n, of int, steps string) string {
	l := j.lang
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n", l.f("Step %d of %d", "第 %d 步，共 %d 步", n, of))
	for line := range strings.SplitSeq(steps, "\n") {
		fmt.Fprintf(&b, "%s\n\n", inert(line))
	}
	fmt.Fprintf(&b, "- %s\n", l.f("Plan: %s, r%d", "计划：%s，r%d", code(string(j.ref.Plan)), j.ref.Revision))
	fmt.Fprintf(&b, "- %s\n", l.f("Title: %s", "标题：%s", inert(j.title)))
	if j.notes != "" {
		fmt.Fprintf(&b, "- %s\n", l.f("Notes of the approval: %s", "批准时的说明：%s", inert(j.notes)))
	}
	fmt.Fprintf(&b, "- %s\n", l.f("Written by the DEMO agent. It stands for the work of this step; the repository was not changed.",
		"由 DEMO 代理写入，仅代表该步骤的工作；仓库未被改动。"))
	return b.String()
}

// left counts the steps whose file is not written yet.
func (j *job) left() int {
	n := 0
	for _, f := range j.files {
		if !f.done {
			n++
		}
	}
	return n
}

func (j *job) summary() string {
	return short(j.lang.f("DEMO: acted out the %d steps of %s r%d as files in %s. The repository was not changed.",
		"DEMO：把 %[2]s r%[3]d 的 %[1]d 个步骤以文件形式演示于 %[4]s。仓库未被改动。",
		len(j.files), quote(j.title, j.lang), j.ref.Revision, j.dir), plan.MaxSummaryChars/2)
}

// verification lists what was really done, which is to write files.
func (j *job) verification() []string {
	l := j.lang
	var list []string
	for _, f := range j.files {
		if len(list) == plan.MaxVerifications-2 && len(j.files) > plan.MaxVerifications-1 {
			list = append(list, l.f("Wrote the files of %d further steps", "写入了其余 %d 个步骤的文件", len(j.files)-len(list)))
			break
		}
		list = append(list, short(l.f("Wrote %s (%d bytes)", "已写入 %s（%d 字节）", filepath.Base(f.path), len(f.content)), plan.MaxVerificationChar/2))
	}
	return append(list, l.f("Ran nothing: this was a demonstration, no test of the repository was run", "未运行任何程序：这是演示，没有运行仓库的测试"))
}
