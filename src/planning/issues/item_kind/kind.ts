/** Issues as an item kind (collaboration/item_kinds/item_kind.ts). */
import type { ItemKind } from '../../../collaboration/item_kinds/item_kind.ts'
import { Issue } from '../entity.ts'
import { issueVisibleTo } from '../lists/visible.ts'
import { issuesNamed, issueTables, visibleIssuesById } from '../queries.ts'
import { countAward, countNotes } from './counts.ts'
import { findNoteableIssue, issueApi, type NoteableIssue } from './noteable.ts'
import { issueWriting } from './quick_actions/with_quick_actions.ts'
import { issueTextPlace } from './readers.ts'
import { replaceLabelsOfIssues, replaceLabelsOfIssuesIn, replaceMilestonesOfIssues, replaceMilestonesOfIssuesIn } from './relabel.ts'
import { issueTimes } from './times.ts'

export const issueKind: ItemKind = {
  ...issueTables,
  noun: 'issue',
  type: 'Issue',
  within: 'project',
  sigil: '#',
  from: 'issues',
  address: /^(.+?)\/(?:-\/)?issues\/(?:incident\/)?(\d{1,15})(?:[/?#]|$)/,
  resolvable: false,
  answer: {
    schema: Issue.schema,
    visibleById: ({ db, actor }, ids) => visibleIssuesById(db, actor, ids, null),
    load: Issue.load!,
    present: Issue.present,
  },
  api: issueApi,
  notesApi: issueApi,
  readInternal: 'read_internal_note',
  facts: ['state', 'label', 'milestone', 'weight', 'iteration'],
  writing: issueWriting,
  times: issueTimes,
  find: findNoteableIssue,
  pageOf: (path, iid) => `${path}/-/issues/${iid}`,
  visible: issueVisibleTo,
  named: issuesNamed,
  textPlace: ({ project, item }: NoteableIssue) => issueTextPlace(project, item),
  countNotes,
  countAward,
  replaceLabels: replaceLabelsOfIssues,
  replaceMilestones: replaceMilestonesOfIssues,
  replaceLabelsIn: replaceLabelsOfIssuesIn,
  replaceMilestonesIn: replaceMilestonesOfIssuesIn,
}
