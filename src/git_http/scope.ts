import Type from 'typebox'
import { notFound } from '../kernel/errors.ts'
import { scope } from '../kernel/scope.ts'
import { findProject, projectSubject } from '../projects/scope.ts'
import { projectPathOf } from './address.ts'

/** `:repository_path` becomes the project whose repository it is, or 404 (401 for whoever has not signed in). */
export const inGitRepository = scope({
  name: 'inGitRepository',
  path: { repository_path: Type.String({ description: 'Full path of a project, with or without `.git`' }) },
  async load({ db, actor }, { repository_path }) {
    // A number is an id elsewhere, and a repository is never named by one.
    if (!repository_path.includes('/')) throw notFound('Project')
    return { project: await findProject(db, actor, projectPathOf(repository_path)) }
  },
  subject: ({ project }) => projectSubject(project),
})
