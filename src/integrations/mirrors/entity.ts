/** Mirrors as JSON (remote mirrors and projects API at 14.0, and what later levels add). Credentials are never shown. */
import Type from 'typebox'
import { entity } from '../../platform/kernel/answer/entity.ts'
import { DateTime, flag, integer, Nullable, text } from '../../platform/kernel/declaration/types.ts'
import type { ProjectRow } from '../../spaces/projects/queries.ts'
import type { PullMirrorRow } from './pull/queries.ts'
import type { RemoteMirrorRow } from './push/queries.ts'

const stateFields = {
  update_status: text('State of the last update: `none`, `started`, `finished`, `to_retry` or `failed`'),
  last_update_at: Nullable(DateTime('When the last update ended; null before the first one')),
  last_update_started_at: Nullable(DateTime('When the last update began; null before the first one')),
  last_successful_update_at: Nullable(DateTime('When an update last succeeded; null where none has')),
  last_error: Nullable(text('Why the last update failed; null where it did not')),
}

const stateOf = (row: RemoteMirrorRow | PullMirrorRow) => ({
  update_status: row.update_status,
  last_update_at: row.last_update_at,
  last_update_started_at: row.last_update_started_at,
  last_successful_update_at: row.last_successful_update_at,
  last_error: row.last_error,
})

export const RemoteMirror = entity({
  name: 'RemoteMirror',
  schema: Type.Object({
    id: integer('ID, unique on the instance'),
    enabled: flag('Whether it is updated'),
    // Contract: the user and the password of the address are five stars each (remote mirrors API at 14.0).
    url: text('Where it is pushed to, with stars in the place of credentials'),
    ...stateFields,
    only_protected_branches: flag('Whether only protected branches are pushed'),
    keep_divergent_refs: flag('Whether branches and tags that have diverged in the remote are left as they are'),
  }),
  present: (row: RemoteMirrorRow) => ({
    id: row.id,
    enabled: row.enabled,
    url: row.url,
    ...stateOf(row),
    only_protected_branches: row.only_protected_branches,
    keep_divergent_refs: row.keep_divergent_refs,
  }),
})

/** A project that pulls, with how that goes. */
export interface PullMirror {
  readonly project: ProjectRow
  readonly state: PullMirrorRow
}

export const PullMirrorEntity = entity({
  name: 'PullMirror',
  schema: Type.Object({
    id: integer('ID, unique on the instance'),
    enabled: flag('Whether the project pulls'),
    url: Nullable(text('Where it pulls from, without credentials; null where none is set')),
    ...stateFields,
    mirror_trigger_builds: flag('Whether pulling starts pipelines'),
    only_mirror_protected_branches: flag('Whether only protected branches are pulled'),
    mirror_overwrites_diverged_branches: flag('Whether pulling overwrites branches that differ'),
  }),
  present: ({ project, state }: PullMirror) => ({
    id: state.id,
    enabled: project.mirror,
    url: project.import_url,
    ...stateOf(state),
    mirror_trigger_builds: project.mirror_trigger_builds,
    only_mirror_protected_branches: project.only_mirror_protected_branches,
    mirror_overwrites_diverged_branches: project.mirror_overwrites_diverged_branches,
  }),
})
