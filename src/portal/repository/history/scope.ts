import { inRepositoryPage } from '../../../code/repository/scope.ts'
import { type Repository, readCommit, resolveCommit } from '../../../platform/git/index.ts'
import { within } from '../../../platform/kernel/declaration/scope.ts'
import { text } from '../../../platform/kernel/declaration/types.ts'
import { notFound } from '../../../platform/kernel/errors.ts'

/** How an address may end to name a commit as a text. */
const textForms = ['patch', 'diff'] as const
export type TextForm = (typeof textForms)[number]

async function commitAt(repository: Repository, name: string) {
  const id = await resolveCommit(repository, name)
  return id && readCommit(repository, id)
}

/** `:sha` below the page of a project becomes a commit, or 404. The same subjects as `inCommit`. */
export const inCommitPage = within(inRepositoryPage, {
  name: 'inCommitPage',
  path: { sha: text('Full or abbreviated id of a commit, or the URL-encoded name of a branch or tag') },
  async load({ project, repository }, { sha }) {
    const commit = repository && (await commitAt(repository, sha))
    if (!repository || !commit) throw notFound('Commit')
    return { repository, commit: { commit, project, repository } }
  },
})

/** Like `inCommitPage`; `:sha` may end in `.patch` or `.diff`, which says how the commit is asked for. */
export const inCommitOrText = within(inRepositoryPage, {
  name: 'inCommitOrText',
  path: { sha: text('As of a commit; may end in `.patch` or `.diff`') },
  async load({ project, repository }, { sha }) {
    if (!repository) throw notFound('Commit')
    const named = await commitAt(repository, sha)
    if (named) return { repository, commit: { commit: named, project, repository }, textForm: undefined }
    const textForm = textForms.find(form => sha.endsWith(`.${form}`))
    const commit = textForm && (await commitAt(repository, sha.slice(0, -textForm.length - 1)))
    if (!commit) throw notFound('Commit')
    return { repository, commit: { commit, project, repository }, textForm }
  },
})
