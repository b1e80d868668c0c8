/** Deploy keys as JSON (deploy keys API at 14.0). */
import Type from 'typebox'
import { entity } from '../../platform/kernel/answer/entity.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { DateTime, described, flag, integer, Nullable, text } from '../../platform/kernel/declaration/types.ts'
import { ProjectIdentity, presentIdentity } from '../../spaces/projects/facts/identity.ts'
import { type ProjectRow, projectsById } from '../../spaces/projects/queries.ts'
import { type DeployKeyRow, type ProjectDeployKeyRow, writableProjectsOf } from './queries.ts'

const fields = {
  id: integer('ID, unique on the instance'),
  title: text('Title of the key'),
  key: text("Public key in OpenSSH's format"),
  fingerprint: text('MD5 fingerprint of the key'),
  created_at: DateTime('When it was created'),
  expires_at: Nullable(DateTime('When the key expires; null: never')),
}

const deployKey = (row: DeployKeyRow) => ({
  id: row.id,
  title: row.title,
  key: row.key,
  fingerprint: row.fingerprint,
  created_at: row.created_at,
  expires_at: row.expires_at,
})

/** A deploy key in one project. */
export const ProjectDeployKey = entity({
  name: 'ProjectDeployKey',
  schema: Type.Object({
    ...fields,
    can_push: flag('Whether the key may push'),
    active: flag('False: it is stopped, because the user who enabled it is not active or may not do here what it does. Enable it again'),
  }),
  present: (row: ProjectDeployKeyRow) => ({ ...deployKey(row), can_push: row.can_push, active: row.active }),
})

interface Loaded {
  /** Ids of projects by key. */
  readonly writable: ReadonlyMap<number, readonly number[]>
  readonly projects: ReadonlyMap<number, ProjectRow>
}

/** A deploy key as shown to administrators. */
export const DeployKey = entity({
  name: 'DeployKey',
  schema: Type.Object({
    ...fields,
    projects_with_write_access: described('Projects that the key may push to', Type.Array(ProjectIdentity)),
  }),
  load: async ({ db }: Context, rows: readonly DeployKeyRow[]): Promise<Loaded> => {
    const writable = await writableProjectsOf(
      db,
      rows.map(row => row.id),
    )
    return { writable, projects: await projectsById(db, [...new Set([...writable.values()].flat())]) }
  },
  present: (row: DeployKeyRow, { writable, projects }: Loaded) => ({
    ...deployKey(row),
    projects_with_write_access: (writable.get(row.id) ?? []).flatMap(id => {
      const project = projects.get(id)
      return project ? [presentIdentity(project)] : []
    }),
  }),
})
