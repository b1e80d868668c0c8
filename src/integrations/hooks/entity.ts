/** A hook as JSON, by owner (project, group and system hooks API at 14.0). Neither the token nor credentials in the address are shown. */
import Type, { type TBoolean } from 'typebox'
import { entity } from '../../platform/kernel/answer/entity.ts'
import { DateTime, flag, integer, Nullable, text } from '../../platform/kernel/declaration/types.ts'
import { shownUrl } from '../../platform/outbound/shown_url.ts'
import type { HookRow } from './queries.ts'
import { type HookKind, type Switch, switchesOf, switchMeanings } from './switches.ts'

/** A value for each of these switches. */
const bySwitch = <S extends Switch, V>(names: readonly S[], value: (name: S) => V) =>
  Object.fromEntries(names.map(name => [name, value(name)])) as Record<S, V>

const switchFields = <K extends HookKind>(kind: K) =>
  bySwitch<(typeof switchesOf)[K][number], TBoolean>(switchesOf[kind], name => flag(switchMeanings[name]))

const fields = {
  id: integer('ID, unique on the instance'),
  url: text('With stars in the place of credentials'),
  created_at: DateTime('When it was created'),
  enable_ssl_verification: flag("Whether the receiver's certificate is checked"),
}
const placeFields = {
  repository_update_events: flag('Whether each changed repository is sent'),
  push_events_branch_filter: Nullable(text('Branches whose pushes are sent, with wildcards; null or empty: all')),
}

const present = (row: HookRow, kind: HookKind) => ({
  id: row.id,
  // Contract: hooks at 14.0 have no variables to keep credentials in, as later levels have. They are masked where they are, in the address.
  url: shownUrl(row.url),
  created_at: row.created_at,
  enable_ssl_verification: row.enable_ssl_verification,
  ...bySwitch<Switch, boolean>(switchesOf[kind], name => row.switches.includes(name)),
})

const presentInPlace = (row: HookRow, kind: HookKind) => ({
  ...present(row, kind),
  repository_update_events: row.switches.includes('repository_update_events'),
  push_events_branch_filter: row.push_events_branch_filter,
})

export const SystemHook = entity({
  name: 'SystemHook',
  schema: Type.Object({ ...fields, ...switchFields('system') }),
  present: (row: HookRow) => present(row, 'system'),
})

export const ProjectHook = entity({
  name: 'ProjectHook',
  schema: Type.Object({ ...fields, project_id: integer('ID of the project'), ...switchFields('project'), ...placeFields }),
  present: (row: HookRow) => ({ ...presentInPlace(row, 'project'), project_id: row.project_id as number }),
})

export const GroupHook = entity({
  name: 'GroupHook',
  schema: Type.Object({ ...fields, group_id: integer('ID of the group'), ...switchFields('group'), ...placeFields }),
  present: (row: HookRow) => ({ ...presentInPlace(row, 'group'), group_id: row.namespace_id as number }),
})
