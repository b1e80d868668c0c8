import { readCommit, resolveCommit } from '../../../platform/git/index.ts'
import { within } from '../../../platform/kernel/declaration/scope.ts'
import { text } from '../../../platform/kernel/declaration/types.ts'
import { notFound } from '../../../platform/kernel/errors.ts'
import { inRepository } from '../scope.ts'

/** `:sha` is resolved to a commit of the repository, or 404. */
export const inCommit = within(inRepository, {
  name: 'inCommit',
  path: { sha: text('Full or abbreviated id of a commit, or the URL-encoded name of a branch or tag') },
  async load({ project, repository }, { sha }) {
    const id = repository && (await resolveCommit(repository, sha))
    const commit = repository && id && (await readCommit(repository, id))
    if (!repository || !commit) throw notFound('Commit')
    return { repository, commit: { commit, project, repository } }
  },
})
