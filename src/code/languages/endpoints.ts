/** The programming languages of a project (document 3 "Projects"). */
import Type from 'typebox'
import { plain } from '../../platform/kernel/answer/entity.ts'
import { endpoint, one } from '../../platform/kernel/declaration/endpoint.ts'
import { findRepository } from '../../spaces/projects/repository/store.ts'
import { inProject } from '../../spaces/projects/scope.ts'
import { projectForLanguages, updateLanguages } from './commands.ts'
import { languagesOf } from './queries.ts'

/** Percentage by language. */
const Languages = plain('Languages', Type.Record(Type.String(), Type.Number()))

export const getLanguages = endpoint({
  route: 'GET /projects/:id/languages',
  summary: 'Get the languages of a project with their shares in percent',
  scope: inProject,
  can: 'read_code',
  answers: one(Languages),
  async run({ db, deps, project }) {
    // The task for the last push may not have run yet: detect them now.
    const surveyed = await projectForLanguages(db, project.id)
    const repository = surveyed && (await findRepository(deps.storages, surveyed))
    if (repository) await updateLanguages(deps, surveyed, repository)
    return languagesOf(db, project.id)
  },
})
