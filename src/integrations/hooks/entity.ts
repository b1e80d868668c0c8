/** A hook as JSON, by owner (project, group and system hooks API at 14.0). Neither the token nor credentials in the address are shown. */
import Type, { type TBoolean } from 'typebox'
import { entity } from '../../platform/kernel/answer/entity.ts'
import { DateTime, Nullable } from '../../platform/kernel/types.ts'
import { shownUrl } from '../../platform/outbound/shown_url.ts'
import type { HookRow } from './queries.ts'
import { type HookKind, type Switch, switchesOf } from './switches.ts'

/** A value for each of these switches. */
const bySwitch = <S extends Switch, V>(names: readonly S[], value: (name: S) => V) =>
  Object.fromEntries(names.map(name => [name, value(name)])) as Record<S, V>

const switchFields = <K extends HookKind>(kind: K) =>
  bySwitch<(typeof switchesOf)[K][number], TBoolean>(switchesOf[kind], () => Type.Boolean())

const fields = {
  id: Type.Integer(),
  url: Type.String({ description: 'With stars in the place of credentials' }),
  created_at: DateTime(),
  enable_ssl_verification: Type.Boolean(),
}
const placeFields = { repository_update_events: Type.Boolean(), push_events_branch_filter: Nullable(Type.String()) }

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
  schema: Type.Object({ ...fields, project_id: Type.Integer(), ...switchFields('project'), ...placeFields }),
  present: (row: HookRow) => ({ ...presentInPlace(row, 'project'), project_id: row.project_id as number }),
})

export const GroupHook = entity({
  name: 'GroupHook',
  schema: Type.Object({ ...fields, group_id: Type.Integer(), ...switchFields('group'), ...placeFields }),
  present: (row: HookRow) => ({ ...presentInPlace(row, 'group'), group_id: row.namespace_id as number }),
})
