/** Artifacts by their ids. */
import type { Db } from '../../../platform/db/connection.ts'
import { within } from '../../../platform/kernel/declaration/scope.ts'
import { integer } from '../../../platform/kernel/declaration/types.ts'
import { notFound } from '../../../platform/kernel/errors.ts'
import { inProject } from '../../../spaces/projects/scope.ts'
import type { ArtifactRow } from '../../jobs/entities/artifacts.ts'
import { artifactOfProject } from './queries.ts'

/** The parameter that names an artifact. */
export const artifactPath = { artifact_id: integer('ID of an artifact') }

/** The artifact of a project with this id, or 404; a log is none. */
export async function findArtifact(db: Db, projectId: number, id: number): Promise<ArtifactRow> {
  const artifact = await artifactOfProject(db, projectId, id)
  if (!artifact) throw notFound('Artifact')
  return artifact
}

/** `:artifact_id` becomes an artifact of the project, or 404. */
export const inArtifact = within(inProject, {
  name: 'inArtifact',
  path: artifactPath,
  load: async ({ db, project }, { artifact_id }) => ({ artifact: await findArtifact(db, project.id, artifact_id) }),
})
