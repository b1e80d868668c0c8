/** Merge requests as lists show them: simple fields, labels by name or with details, and the extra fields of project lists. */
import Type from 'typebox'
import { labelDetailFields, presentLabelDetails } from '../../../planning/labels/entity.ts'
import { choice, entity } from '../../../platform/kernel/answer/entity.ts'
import { DateTime, described, flag, integer, Nullable, text } from '../../../platform/kernel/declaration/types.ts'
import { fields, LabelNames, type Loaded, labelNames, labelsOf, load, MergeRequest, mergeFactsIn, present, webUrlOf } from '../entity.ts'
import type { MergeRequestRow } from '../queries.ts'

const Labels = Type.Array(Type.Object(labelDetailFields))
const labelDetails = (row: MergeRequestRow, loaded: Loaded) => labelsOf(row, loaded).map(presentLabelDetails)

/** With `view=simple` (document 3). */
const MergeRequestSimple = entity({
  name: 'MergeRequestSimple',
  schema: Type.Object({
    id: integer('ID, unique on the instance'),
    iid: integer('Number within the project or group'),
    project_id: integer('ID of the project'),
    title: text('Title'),
    description: Nullable(text('Description; null or empty where there is none')),
    state: text('`opened`, `closed`, `locked` or `merged`'),
    created_at: DateTime('When it was created'),
    updated_at: DateTime('When it was last changed'),
    web_url: text('Address of the page for people'),
  }),
  present: (row: MergeRequestRow, _loaded: undefined, facts) => ({
    id: row.id,
    iid: row.iid,
    project_id: row.project_id,
    title: row.title,
    description: row.description,
    state: row.state,
    created_at: row.created_at,
    updated_at: row.updated_at,
    web_url: webUrlOf(row, facts),
  }),
})

const MergeRequestWithLabelDetails = entity({
  name: 'MergeRequestWithLabelDetails',
  schema: Type.Object({ ...fields, labels: described('Its labels: names, or with details on request', Labels) }),
  load,
  present: (row: MergeRequestRow, loaded: Loaded, facts) => ({ ...present(row, loaded, facts), labels: labelDetails(row, loaded) }),
})

/** Contract: lists of a project have two more fields (document 3 "Merge request lists"). */
const ofProjectFields = {
  ...fields,
  has_conflicts: flag('Whether the branches conflict'),
  blocking_discussions_resolved: flag('Whether all threads that must be resolved are'),
}

const ofProject = (row: MergeRequestRow, loaded: Loaded) => ({
  has_conflicts: row.merge_status === 'cannot_be_merged',
  blocking_discussions_resolved: mergeFactsIn(loaded, row).unresolvedThreads === 0,
})

const MergeRequestOfProject = entity({
  name: 'MergeRequestOfProject',
  schema: Type.Object({ ...ofProjectFields, labels: described('Its labels: names, or with details on request', LabelNames) }),
  load,
  present: (row: MergeRequestRow, loaded: Loaded, facts) => ({
    ...present(row, loaded, facts),
    ...ofProject(row, loaded),
    labels: labelNames(row, loaded),
  }),
})

const MergeRequestOfProjectWithLabelDetails = entity({
  name: 'MergeRequestOfProjectWithLabelDetails',
  schema: Type.Object({ ...ofProjectFields, labels: described('Its labels: names, or with details on request', Labels) }),
  load,
  present: (row: MergeRequestRow, loaded: Loaded, facts) => ({
    ...present(row, loaded, facts),
    ...ofProject(row, loaded),
    labels: labelDetails(row, loaded),
  }),
})

const isSimple = ({ view }: Readonly<Record<string, unknown>>) => view === 'simple'

/** The items of lists of the instance and of groups. */
export const listedMergeRequest = choice<MergeRequestRow>(
  [MergeRequest, MergeRequestWithLabelDetails, MergeRequestSimple],
  (_facts, params) => (isSimple(params) ? MergeRequestSimple : params.with_labels_details ? MergeRequestWithLabelDetails : MergeRequest),
)

/** The items of lists of a project. */
export const listedMergeRequestOfProject = choice<MergeRequestRow>(
  [MergeRequestOfProject, MergeRequestOfProjectWithLabelDetails, MergeRequestSimple],
  (_facts, params) =>
    isSimple(params) ? MergeRequestSimple : params.with_labels_details ? MergeRequestOfProjectWithLabelDetails : MergeRequestOfProject,
)
