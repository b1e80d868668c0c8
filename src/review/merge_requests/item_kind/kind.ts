/** Merge requests as an item kind (collaboration/item_kinds/item_kind.ts). */
import { sql } from 'kysely'
import type { ItemKind } from '../../../collaboration/item_kinds/item_kind.ts'
import { MergeRequest } from '../entity.ts'
import { mergeRequestVisibleTo } from '../lists/visible.ts'
import { mergeRequestsNamed, mergeRequestTables, visibleMergeRequestsById } from '../queries.ts'
import { countMergeRequestAward, countMergeRequestNotes } from './counts.ts'
import { findNoteableMergeRequest, mergeRequestApi, type NoteableMergeRequest } from './noteable.ts'
import { mergeRequestWriting } from './quick_actions/with_quick_actions.ts'
import { mergeRequestTextPlace } from './readers.ts'
import {
  replaceLabelsOfMergeRequests,
  replaceLabelsOfMergeRequestsIn,
  replaceMilestonesOfMergeRequests,
  replaceMilestonesOfMergeRequestsIn,
} from './relabel.ts'
import { mergeRequestTimes } from './times.ts'

export const mergeRequestKind: ItemKind = {
  ...mergeRequestTables,
  noun: 'merge_request',
  type: 'MergeRequest',
  within: 'project',
  sigil: '!',
  from: 'merge_requests',
  address: /^(.+?)\/(?:-\/)?merge_requests\/(\d{1,15})(?:[/?#]|$)/,
  resolvable: true,
  answer: {
    schema: MergeRequest.schema,
    visibleById: ({ db, actor }, ids) => visibleMergeRequestsById(db, actor, ids, null),
    load: MergeRequest.load!,
    present: MergeRequest.present,
  },
  api: mergeRequestApi,
  notesApi: mergeRequestApi,
  readInternal: 'read_internal_merge_request_note',
  facts: ['state', 'label', 'milestone'],
  writing: mergeRequestWriting,
  times: mergeRequestTimes,
  find: findNoteableMergeRequest,
  pageOf: (path, iid) => `${path}/-/merge_requests/${iid}`,
  visible: (actor, inProject = sql<boolean>`projects.id = merge_requests.project_id`, known) =>
    mergeRequestVisibleTo(actor, inProject, known),
  named: mergeRequestsNamed,
  textPlace: ({ project, mergeRequest }: NoteableMergeRequest) => mergeRequestTextPlace(project, mergeRequest),
  countNotes: countMergeRequestNotes,
  countAward: countMergeRequestAward,
  replaceLabels: replaceLabelsOfMergeRequests,
  replaceMilestones: replaceMilestonesOfMergeRequests,
  replaceLabelsIn: replaceLabelsOfMergeRequestsIn,
  replaceMilestonesIn: replaceMilestonesOfMergeRequestsIn,
}
