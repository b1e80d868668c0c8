/** The kinds of system notes, in the words of archives and in ours. Pure. */

/** Our words by those of archives, where they differ and one is enough. */
const ours: Readonly<Record<string, string>> = {
  assignee: 'assignees',
  branch: 'target_branch',
  closed: 'state',
  cross_reference: 'mention',
  duplicate: 'duplicated_to_id',
  label: 'labels',
  locked: 'discussion_locked',
  merged: 'state',
  milestone: 'milestone_id',
  moved: 'moved_to_id',
  opened: 'state',
  reviewer: 'reviewers',
  unlocked: 'discussion_locked',
  visible: 'confidential',
}

const theirs: Readonly<Record<string, string>> = {
  assignees: 'assignee',
  duplicated_to_id: 'duplicate',
  labels: 'label',
  mention: 'cross_reference',
  milestone_id: 'milestone',
  moved_from: 'moved',
  moved_to_id: 'moved',
  reviewers: 'reviewer',
  target_branch: 'branch',
  time_estimate: 'time_tracking',
  total_time_spent: 'time_tracking',
}

/** The word of an archive for a kind of ours; some depend on what the note says. */
export function exportedAction(action: string, body: string): string {
  if (action === 'state') return body.startsWith('closed') ? 'closed' : body.startsWith('merged') ? 'merged' : 'opened'
  if (action === 'draft') return 'title'
  if (action === 'confidential') return body.endsWith('confidential') ? 'confidential' : 'visible'
  if (action === 'discussion_locked') return body.startsWith('locked') ? 'locked' : 'unlocked'
  return theirs[action] ?? action
}

/** Our word for a kind of an archive. */
export function importedAction(action: string, body: string): string {
  if (action === 'time_tracking') return /^\w+ time estimate/.test(body) ? 'time_estimate' : 'total_time_spent'
  if (action === 'title' && body.startsWith('marked this')) return 'draft'
  if (action === 'moved' && body.startsWith('moved from')) return 'moved_from'
  return Object.hasOwn(ours, action) ? (ours[action] as string) : /^[a-z_]{1,50}$/.test(action) ? action : 'other'
}
