/** The pages of signatures: of one commit, and the marks of a list. */
import { judgeSignatures } from '../../../../code/repository/commits/signatures.ts'
import { inRepositoryPage } from '../../../../code/repository/scope.ts'
import { type Commit, isObjectId, readCommits } from '../../../../platform/git/index.ts'
import { text } from '../../../../platform/kernel/declaration/types.ts'
import { pageEndpoint } from '../../../../platform/pages/forms/declare.ts'
import { page, part } from '../../../../platform/pages/frame/document.ts'
import { html } from '../../../../platform/pages/html.ts'
import { projectPlace } from '../../../../spaces/projects/pages/place.ts'
import { commitPage } from '../../addresses.ts'
import { inCommitPage } from '../scope.ts'
import { markLink, marks, SIGNATURE_FRAME, SIGNATURES_FRAME, signatureBody, signatureDetails } from './signature_view.ts'

const asked = ({ id, committer }: Commit) => ({ id, email: committer.email, date: committer.date })

export const showCommitSignature = pageEndpoint({
  route: 'GET /:project_path/-/commit/:sha/signature',
  summary: 'Show the signature of a commit, and what it is worth',
  scope: inCommitPage,
  can: 'read_code',
  cost: 'heavy',
  async run(ctx) {
    const { commit, repository } = ctx.commit
    const judged = (await judgeSignatures(ctx, repository, [asked(commit)])).get(commit.id)
    if (judged && ctx.request.headers['turbo-frame'] === SIGNATURE_FRAME) return part(signatureDetails(judged))
    return page(ctx, {
      title: `Signature of ${commit.id.slice(0, 8)}`,
      place: projectPlace(ctx.actor, ctx.project, 'commits'),
      body: html`<p><a href="${commitPage(ctx.project, commit.id)}">${commit.title || 'No message'}</a></p>${judged ? signatureBody(judged) : html`<p>The commit is not signed.</p>`}`,
    })
  },
})

/** Commits that one list has, at most. */
const MOST = 100
const ID_LENGTH = 40

export const showSignatures = pageEndpoint({
  route: 'GET /:project_path/-/signatures',
  summary: 'Show what the signatures of commits are worth',
  scope: inRepositoryPage,
  can: 'read_code',
  cost: 'heavy',
  params: {
    ids: text('Full ids of commits, with commas between them', { maxLength: MOST * (ID_LENGTH + 1), default: '' }),
  },
  async run(ctx) {
    const { project, repository, params } = ctx
    const ids = [...new Set(params.ids.split(','))].filter(isObjectId)
    const commits = repository ? (await readCommits(repository, ids)).filter(commit => commit?.is_signed) : []
    const signed = commits.flatMap(commit => (commit ? [asked(commit)] : []))
    const judged = repository ? [...(await judgeSignatures(ctx, repository, signed)).values()] : []
    if (ctx.request.headers['turbo-frame'] === SIGNATURES_FRAME) return part(marks(project, judged))
    return page(ctx, {
      title: 'Signatures',
      place: projectPlace(ctx.actor, project, 'commits'),
      body:
        judged.length === 0
          ? html`<p>None of these commits is signed.</p>`
          : html`<ul class="list">${judged.map(signature => html`<li><a class="mono main" href="${commitPage(project, signature.id)}">${signature.id.slice(0, 8)}</a>${markLink(project, signature)}</li>`)}</ul>`,
    })
  },
})
