/** Epics as JSON (epics, epic issues and epic links API at 14.0). */
import Type, { type TProperties } from 'typebox'
import { References, referencesOf } from '../../collaboration/item_kinds/references.ts'
import { presentSummary, summaryFields } from '../../identity/users/entity.ts'
import { idsOf, usersById } from '../../identity/users/queries.ts'
import { roles } from '../../platform/access/abilities.ts'
import { isAdmin } from '../../platform/access/actor.ts'
import { choice, entity } from '../../platform/kernel/answer/entity.ts'
import type { Context, Facts } from '../../platform/kernel/context.ts'
import { DateTime, Day, described, flag, integer, Nullable, text } from '../../platform/kernel/declaration/types.ts'
import { labelDetailFields, presentLabelDetails } from '../labels/entity.ts'
import { labelsById } from '../labels/queries.ts'
import { datesOf } from './dates.ts'
import { datedEpics, type EpicRow } from './queries.ts'

/** Fields about the source of dates, for users who may change them. */
const forEditors = <S extends TProperties>(fields: S) =>
  Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, Type.Optional(schema)])) as {
    [K in keyof S]: ReturnType<typeof Type.Optional<S[K]>>
  }

const fields = {
  id: integer('ID, unique on the instance'),
  iid: integer('Number within the project or group'),
  group_id: integer('ID of the group'),
  parent_id: Nullable(integer('ID of the parent epic; null where there is none')),
  parent_iid: Nullable(integer('Number of the parent in its group; null where there is none')),
  title: text('Title'),
  description: Nullable(text('Description; null or empty where there is none')),
  confidential: flag('Whether only members with the Reporter role or higher, authors and assignees may see it'),
  author: described('The user who created it', Type.Object(summaryFields)),
  start_date: Nullable(Day('First day; null where none is set')),
  end_date: Nullable(Day('Last day; null where none is set'), { deprecated: true }),
  due_date: Nullable(Day('Last day; null where none is set')),
  ...forEditors({
    start_date_is_fixed: flag('Whether the fixed first day counts'),
    start_date_fixed: Nullable(Day('Fixed first day; null where none is set')),
    start_date_from_inherited_source: Nullable(Day('First day from issues and child epics; null where there is none')),
    start_date_from_milestones: Nullable(Day('First day from milestones; null where there is none'), { deprecated: true }),
    due_date_is_fixed: flag('Whether the fixed last day counts'),
    due_date_fixed: Nullable(Day('Fixed last day; null where none is set')),
    due_date_from_inherited_source: Nullable(Day('Last day from issues and child epics; null where there is none')),
    due_date_from_milestones: Nullable(Day('Last day from milestones; null where there is none'), { deprecated: true }),
  }),
  state: text('`opened` or `closed`'),
  web_url: text('Address of the page for people'),
  reference: text('Reference as it is written within the project or group', { deprecated: true }),
  references: described('References as they are written in texts', References),
  created_at: DateTime('When it was created'),
  updated_at: DateTime('When it was last changed'),
  closed_at: Nullable(DateTime('When it was closed; null while it is open')),
  upvotes: integer('Number of thumbs up'),
  downvotes: integer('Number of thumbs down'),
  _links: described(
    'Addresses of this object and what belongs to it',
    Type.Object({
      self: text('Address of this object in the API'),
      epic_issues: text("Address of the epic's issues"),
      group: text('Address of the group'),
      parent: Nullable(text('Address of the parent; null where there is none')),
    }),
  ),
}

async function load({ db }: Context, rows: readonly EpicRow[]) {
  const ids = rows.map(row => row.id)
  return {
    users: await usersById(db, idsOf(rows, 'author_id')),
    labels: await labelsById(db, [...new Set(rows.flatMap(row => row.label_ids))]),
    dates: datesOf(await datedEpics(db, ids)),
  }
}

type Loaded = Awaited<ReturnType<typeof load>>

const labelsOf = (row: EpicRow, { labels }: Loaded) =>
  row.label_ids.flatMap(id => labels.get(id) ?? []).sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.id - b.id))

/** The path of an epic's page. */
export const pathOf = (row: EpicRow) => `/groups/${row.group_path}/-/epics/${row.iid}`

function present(row: EpicRow, loaded: Loaded, facts: Facts) {
  const dates = loaded.dates.get(row.id)!
  const mayEdit = isAdmin(facts.actor) || row.role >= roles.reporter
  const api = `${facts.url}/api/v4/groups`
  const self = `${api}/${row.namespace_id}/epics/${row.iid}`
  const references = referencesOf('&', row.iid, row.group_path, row.asked_in)
  return {
    id: row.id,
    iid: row.iid,
    group_id: row.namespace_id,
    parent_id: row.parent_id,
    parent_iid: row.parent_iid,
    title: row.title,
    description: row.description,
    confidential: row.confidential,
    author: presentSummary(loaded.users.get(row.author_id)!, facts),
    start_date: dates.start,
    end_date: dates.due,
    due_date: dates.due,
    ...(mayEdit && {
      start_date_is_fixed: row.start_date_is_fixed,
      start_date_fixed: row.start_date_fixed,
      start_date_from_inherited_source: dates.start_inherited,
      start_date_from_milestones: dates.start_inherited,
      due_date_is_fixed: row.due_date_is_fixed,
      due_date_fixed: row.due_date_fixed,
      due_date_from_inherited_source: dates.due_inherited,
      due_date_from_milestones: dates.due_inherited,
    }),
    state: row.state,
    web_url: `${facts.url}${pathOf(row)}`,
    reference: references.relative,
    references,
    created_at: row.created_at,
    updated_at: row.updated_at,
    closed_at: row.closed_at,
    upvotes: row.upvotes,
    downvotes: row.downvotes,
    _links: {
      self,
      epic_issues: `${self}/issues`,
      group: `${api}/${row.namespace_id}`,
      parent: row.parent_iid === null ? null : `${api}/${row.parent_group_id}/epics/${row.parent_iid}`,
    },
  }
}

/** An epic; its labels by name. */
export const Epic = entity({
  name: 'Epic',
  schema: Type.Object({ ...fields, labels: described('Its labels: names, or with details on request', Type.Array(Type.String())) }),
  load,
  present: (row: EpicRow, loaded: Loaded, facts) => ({
    ...present(row, loaded, facts),
    labels: labelsOf(row, loaded).map(label => label.name),
  }),
})

/** An epic in lists with label details. */
export const EpicWithLabelDetails = entity({
  name: 'EpicWithLabelDetails',
  schema: Type.Object({
    ...fields,
    labels: described('Its labels: names, or with details on request', Type.Array(Type.Object(labelDetailFields))),
  }),
  load,
  present: (row: EpicRow, loaded: Loaded, facts) => ({
    ...present(row, loaded, facts),
    labels: labelsOf(row, loaded).map(presentLabelDetails),
  }),
})

/** The items of a list of epics. */
export const listedEpic = choice<EpicRow>([Epic, EpicWithLabelDetails], (_facts, { with_labels_details }) =>
  with_labels_details ? EpicWithLabelDetails : Epic,
)
