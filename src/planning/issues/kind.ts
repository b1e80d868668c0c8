/** Issues as a kind of item (collaboration/item_kinds/item_kind.ts). */
import type { ItemKind } from '../../collaboration/item_kinds/item_kind.ts'
import type { Noteable } from '../../collaboration/notes/noteable.ts'
import { countAward, countNotes } from './counts.ts'
import { Issue } from './entity.ts'
import { issuesNamed, issueTables, visibleIssuesById } from './queries.ts'
import { issueTextPlace } from './readers.ts'
import { replaceLabelsOfIssues, replaceMilestonesOfIssues } from './relabel.ts'
import { issueVisibleTo } from './visible.ts'

export const issueKind: ItemKind = {
  ...issueTables,
  noun: 'issue',
  type: 'Issue',
  within: 'project',
  sigil: '#',
  from: 'issues',
  address: /^(.+?)\/(?:-\/)?issues\/(?:incident\/)?(\d{1,15})(?:[/?#].*)?$/,
  resolvable: false,
  answer: {
    schema: Issue.schema,
    visibleById: ({ db, actor }, ids) => visibleIssuesById(db, actor, ids, null),
    load: Issue.load!,
    present: Issue.present,
  },
  pageOf: (path, iid) => `${path}/-/issues/${iid}`,
  visible: issueVisibleTo,
  named: issuesNamed,
  textPlace: ({ project, issue }: Extract<Noteable, { type: 'Issue' }>) => issueTextPlace(project, issue),
  countNotes,
  countAward,
  replaceLabels: replaceLabelsOfIssues,
  replaceMilestones: replaceMilestonesOfIssues,
}
