/** The languages that a project's files are written in (document 3 "Projects"). */
import Type from 'typebox'
import { plain } from '../../platform/kernel/answer/entity.ts'
import { endpoint, one } from '../../platform/kernel/endpoint.ts'
import { findRepository } from '../../spaces/projects/repository/store.ts'
import { inProject } from '../../spaces/projects/scope.ts'
import { surveyedProject, surveyLanguages } from './commands.ts'
import { languagesOf } from './queries.ts'

/** Percent by name of the language. */
const Languages = plain('Languages', Type.Record(Type.String(), Type.Number()))

export const getLanguages = endpoint({
  route: 'GET /projects/:id/languages',
  summary: 'Get the languages of a project with their shares in percent',
  scope: inProject,
  can: 'read_code',
  answers: one(Languages),
  async run({ db, deps, project }) {
    // Asked before the task has come to the last push: found now.
    const surveyed = await surveyedProject(db, project.id)
    const repository = surveyed && (await findRepository(deps.storages, surveyed))
    if (repository) await surveyLanguages(deps, surveyed, repository)
    return languagesOf(db, project.id)
  },
})
