import { scope } from '../../platform/kernel/declaration/scope.ts'
import { text } from '../../platform/kernel/declaration/types.ts'
import { assertSignedOnForGit } from '../../spaces/groups/sign_on.ts'
import { findProjectOfRepository, projectSubject } from '../../spaces/projects/scope.ts'
import { assertProtocol } from './protocols.ts'

/** `:repository_path` is resolved to the project of the repository, or 404 (401 for anonymous callers). */
export const inGitRepository = scope({
  name: 'inGitRepository',
  path: { repository_path: text('Full path or alias of a project, with or without `.git`') },
  async load(ctx, { repository_path }) {
    const { db, actor } = ctx
    const project = await findProjectOfRepository(db, actor, repository_path)
    await assertProtocol({ db, actor }, 'http')
    await assertSignedOnForGit(ctx, { role: project.role, in: { projectId: project.id } })
    return { project }
  },
  subject: ({ project }) => projectSubject(project),
})
