/** A child epic as JSON (epic links API at 14.0). */
import Type from 'typebox'
import { referencesOf } from '../../../collaboration/item_kinds/references.ts'
import { entity } from '../../../platform/kernel/answer/entity.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { flag, integer, Nullable, text } from '../../../platform/kernel/declaration/types.ts'
import { pathOf } from '../entity.ts'
import { type EpicRow, epicsWithContents } from '../queries.ts'

/** A child epic as returned by its creation. */
export const LinkedEpic = entity({
  name: 'LinkedEpic',
  schema: Type.Object({
    id: integer('ID, unique on the instance'),
    iid: integer('Number within the project or group'),
    title: text('Title'),
    group_id: integer('ID of the group'),
    parent_id: Nullable(integer('ID of the parent epic; null where there is none')),
    has_children: flag('Whether it has child epics'),
    has_issues: flag('Whether it has issues'),
    reference: text('Reference as it is written within the project or group'),
    url: text("Address of the epic's page"),
    relation_url: Nullable(text('Address of the relation; null where the caller may not change it')),
  }),
  load: ({ db }: Context, rows: readonly EpicRow[]) =>
    epicsWithContents(
      db,
      rows.map(row => row.id),
    ),
  present: (row: EpicRow, holding, { url }) => ({
    id: row.id,
    iid: row.iid,
    title: row.title,
    group_id: row.namespace_id,
    parent_id: row.parent_id,
    has_children: holding.get(row.id)?.has_children ?? false,
    has_issues: holding.get(row.id)?.has_issues ?? false,
    reference: referencesOf('&', row.iid, row.group_path, row.asked_in).relative,
    url: `${url}${pathOf(row)}`,
    relation_url: row.parent_iid === null ? null : `${url}/groups/${row.asked_in}/-/epics/${row.parent_iid}/links/${row.id}`,
  }),
})
