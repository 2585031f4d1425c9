package agent

// RoleSummary marks what planmode tells of messages that are no longer part of
// the conversation, and its reminders of the mode. A provider that has no such role sends it as the person's,
// marked as coming from planmode; its text says so already.
const RoleSummary Role = "summary"
