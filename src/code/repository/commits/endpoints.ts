/** Commits (commits API at 14.0). */
import Type from 'typebox'
import { countCommits, diffOfCommit, refsContaining } from '../../../platform/git/index.ts'
import { choice, entity, plain } from '../../../platform/kernel/answer/entity.ts'
import { slicesOf } from '../../../platform/kernel/answer/page.ts'
import { endpoint, one, pageOf } from '../../../platform/kernel/declaration/endpoint.ts'
import { DateTime, Day, described, flag, integer, OneOf, optional, text } from '../../../platform/kernel/declaration/types.ts'
import { notFound } from '../../../platform/kernel/errors.ts'
import { pushing } from '../../protected_branches/collaboration.ts'
import { inRepository } from '../scope.ts'
import { replayCommit } from './commands.ts'
import { Diff } from './diff_entity.ts'
import { Commit, type CommitRow, CommitWithStats } from './entity.ts'
import { commitsMatching } from './queries.ts'
import { inCommit } from './scope.ts'
import { Signature } from './signature_entity.ts'
import { judgeSignatures } from './signatures.ts'

const Bound = (description: string) => optional(Type.Union([DateTime('An instant'), Day('A day')], { description }))

const inList = choice<CommitRow>([Commit, CommitWithStats], (_facts, { with_stats }) => (with_stats ? CommitWithStats : Commit))

export const listRepositoryCommits = endpoint({
  route: 'GET /projects/:id/repository/commits',
  cost: 'walk',
  summary: 'List the commits of a branch, tag or range',
  scope: inRepository,
  can: 'read_code',
  params: {
    ref_name: optional(text('A branch, a tag, a commit or a range `from..to`; default: the default branch')),
    since: Bound('Committed at or after this'),
    until: Bound('Committed at or before this'),
    path: optional(text('Only commits that change this file or directory')),
    author: optional(text('Part of the name or email address of the author', { maxLength: 255 })),
    all: optional(flag('Of all branches and tags')),
    with_stats: optional(flag('Count changed lines')),
    first_parent: optional(flag('Follow only the first parent of merges')),
    order: optional(OneOf(['default', 'topo'], { description: '`default` or `topo`' })),
    trailers: optional(flag('Parse the trailers of messages')),
  },
  answers: pageOf(inList),
  run: ({ project, repository, params }) => (repository ? commitsMatching(repository, project, params) : slicesOf<CommitRow>([])),
})

export const getCommitDiff = endpoint({
  route: 'GET /projects/:id/repository/commits/:sha/diff',
  cost: 'heavy',
  summary: 'List the files that a commit changes',
  scope: inCommit,
  can: 'read_code',
  answers: pageOf(Diff),
  run: async ({ commit: { commit, repository } }) => slicesOf((await diffOfCommit(repository, commit)).entries),
})

const CommitRef = plain('CommitRef', Type.Object({ type: text('`branch`, `tag` or `all`'), name: text('Name of the branch or tag') }))

export const listCommitRefs = endpoint({
  route: 'GET /projects/:id/repository/commits/:sha/refs',
  cost: 'heavy',
  summary: 'List the branches and tags that contain a commit',
  scope: inCommit,
  can: 'read_code',
  params: { type: OneOf(['branch', 'tag', 'all'], { description: '`branch`, `tag` or `all`', default: 'all' }) },
  answers: pageOf(CommitRef),
  run: async ({ commit: { commit, repository }, params }) =>
    slicesOf([...(await refsContaining(repository, commit.id, params.type === 'all' ? undefined : [params.type]))]),
})

export const getCommitSequence = endpoint({
  route: 'GET /projects/:id/repository/commits/:sha/sequence',
  cost: 'heavy',
  summary: 'Get the number of a commit in its history, from the first commit on',
  scope: inCommit,
  can: 'read_code',
  params: { first_parent: optional(flag('Follow only the first parent of merges')) },
  answers: one(plain('CommitSequence', Type.Object({ count: integer('The commit and those before it') }))),
  run: async ({ commit: { commit, repository }, params }) => ({
    count: await countCommits(repository, { from: [commit.id], firstParent: params.first_parent }),
  }),
})

export const getCommitSignature = endpoint({
  route: 'GET /projects/:id/repository/commits/:sha/signature',
  summary: 'Get the signature of a commit',
  scope: inCommit,
  can: 'read_code',
  answers: one(Signature),
  run: async ctx => {
    const { commit, repository } = ctx.commit
    const { id, committer } = commit
    const judged = await judgeSignatures(ctx, repository, [{ id, email: committer.email, date: committer.date }])
    const signature = judged.get(id)
    if (!signature) throw notFound('Signature')
    return signature
  },
})

const DryRun = entity({
  name: 'DryRun',
  schema: Type.Object({ dry_run: described('What would be done', Type.Literal('success')) }),
  present: (_row: CommitRow) => ({ dry_run: 'success' as const }),
})
const replayed = choice<CommitRow>([Commit, DryRun], (_facts, { dry_run }) => (dry_run ? DryRun : Commit))
const replayParams = {
  branch: text('The branch to commit to', { minLength: 1, maxLength: 255, examples: ['main'] }),
  dry_run: optional(flag('Only check whether it would succeed')),
}

export const cherryPickCommit = endpoint({
  route: 'POST /projects/:id/repository/commits/:sha/cherry_pick',
  summary: 'Cherry-pick a commit onto a branch',
  scope: pushing(inCommit),
  can: 'push_to_branch',
  writes: 'own',
  params: { ...replayParams, message: optional(text('Instead of the commit’s own message')) },
  answers: one(replayed),
  run: ctx => replayCommit(ctx, 'cherry_pick', ctx.project, ctx.commit, ctx.params),
})

export const revertCommit = endpoint({
  route: 'POST /projects/:id/repository/commits/:sha/revert',
  summary: 'Revert a commit on a branch',
  scope: pushing(inCommit),
  can: 'push_to_branch',
  writes: 'own',
  params: replayParams,
  answers: one(replayed),
  run: ctx => replayCommit(ctx, 'revert', ctx.project, ctx.commit, ctx.params),
})
