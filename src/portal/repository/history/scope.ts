import { inRepositoryPage } from '../../../code/repository/scope.ts'
import { readCommit, resolveCommit } from '../../../platform/git/index.ts'
import { within } from '../../../platform/kernel/declaration/scope.ts'
import { text } from '../../../platform/kernel/declaration/types.ts'
import { notFound } from '../../../platform/kernel/errors.ts'

/** `:sha` below the page of a project becomes a commit, or 404. The same subjects as `inCommit`. */
export const inCommitPage = within(inRepositoryPage, {
  name: 'inCommitPage',
  path: { sha: text('Full or abbreviated id of a commit, or the URL-encoded name of a branch or tag') },
  async load({ project, repository }, { sha }) {
    const id = repository && (await resolveCommit(repository, sha))
    const commit = repository && id && (await readCommit(repository, id))
    if (!repository || !commit) throw notFound('Commit')
    return { repository, commit: { commit, project, repository } }
  },
})
