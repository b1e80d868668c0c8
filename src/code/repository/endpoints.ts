import Type from 'typebox'
import { compare, contributors, listTree, mergeBase, readCommit, resolveCommit, resolveCommits } from '../../platform/git/index.ts'
import { slicesOf } from '../../platform/kernel/answer/page.ts'
import { bytes, endpoint, one, pageOf, ranged } from '../../platform/kernel/declaration/endpoint.ts'
import { described, flag, OneOf, optional, text } from '../../platform/kernel/declaration/types.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { projectPages } from '../../spaces/projects/pages/scope.ts'
import { archive } from './archives/archive.ts'
import { Commit } from './commits/entity.ts'
import { Blob, Compare, Contributor, TreeEntry } from './entity.ts'
import { blobContents, rawBlob } from './files/queries.ts'
import { refused } from './refusals.ts'
import { inBlob, inRepository, inRepositoryPage } from './scope.ts'

export const getTree = endpoint({
  route: 'GET /projects/:id/repository/tree',
  summary: 'List the files and directories of a directory',
  scope: inRepository,
  can: 'read_code',
  params: {
    path: optional(text('A directory; default: the root', { maxLength: 4096 })),
    ref: optional(text('A branch, tag or commit; default: the default branch', { maxLength: 1024 })),
    recursive: optional(flag('Include subdirectories')),
  },
  answers: pageOf(TreeEntry),
  async run({ project, repository, params, deps, actor, request }) {
    const commit = repository && (await resolveCommit(repository, params.ref || project.default_branch || 'HEAD'))
    if (!repository || !commit) throw notFound('Tree')
    // One directory is light work; all of them grow with the repository.
    const release = params.recursive ? await deps.limiter.enter('heavy', { actor, ...request }) : undefined
    const tree = await listTree(repository, { commit, path: params.path, recursive: params.recursive }).finally(release)
    // Contract: a missing directory is an empty list, not a 404 (repositories API before 15.0).
    return slicesOf(tree?.rows ?? [])
  },
})

export const getBlob = endpoint({
  route: 'GET /projects/:id/repository/blobs/:sha',
  summary: 'Get a blob with its content',
  scope: inBlob,
  can: 'read_code',
  answers: one(Blob),
  async run(ctx) {
    const { id, repository } = ctx.blob
    return { id, content: await blobContents(ctx, repository, id) }
  },
})

export const getRawBlob = endpoint({
  route: 'GET /projects/:id/repository/blobs/:sha/raw',
  summary: 'Get the raw content of a blob',
  scope: inBlob,
  can: 'read_code',
  answers: bytes('text/plain'),
  errors: ['not_modified'],
  run: ({ blob: { id, repository } }) => rawBlob(repository, id, id),
})

const archiveParams = {
  sha: optional(text('A branch, tag or commit; default: the default branch', { maxLength: 1024 })),
  path: optional(text('Only this directory or file', { maxLength: 4096 })),
}

export const getArchive = endpoint({
  route: 'GET /projects/:id/repository/archive',
  summary: 'Download the files of a revision as .tar.gz or another format',
  scope: inRepository,
  can: 'read_code',
  cost: 'heavy',
  params: {
    ...archiveParams,
    format: text('zip, tar, tar.gz, tar.bz2 or a short name of those', { default: 'tar.gz' }),
  },
  answers: ranged('application/octet-stream'),
  run: ({ project, repository, params, ...ctx }) => archive(ctx, project, repository, params),
})

export const getArchiveAs = endpoint({
  route: 'GET /projects/:id/repository/archive.:format',
  summary: 'Download the files of a revision in a format',
  scope: inRepository,
  can: 'read_code',
  cost: 'heavy',
  params: {
    ...archiveParams,
    format: text('zip, tar, tar.gz, tar.bz2 or a short name of those', { examples: ['zip'] }),
  },
  answers: ranged('application/octet-stream'),
  run: ({ project, repository, params, ...ctx }) => archive(ctx, project, repository, params),
})

export const getArchivePage = endpoint({
  route: 'GET /:project_path/-/archive/:ref_name/:filename',
  summary: 'Download the files of a revision, as releases link to them',
  scope: inRepositoryPage,
  can: 'read_code',
  cost: 'heavy',
  dialect: projectPages,
  params: {
    ref_name: text('URL-encoded name of a branch, tag or commit', { maxLength: 1024, examples: ['main'] }),
    filename: text('Any name, ending in a format', { maxLength: 1024, examples: ['main.zip'] }),
  },
  answers: ranged('application/octet-stream'),
  run: ({ project, repository, params, ...ctx }) => {
    const [, format] = /\.(zip|tar|tar\.gz|tar\.bz2)$/.exec(params.filename) ?? []
    if (format === undefined) throw notFound('File')
    return archive(ctx, project, repository, { sha: params.ref_name, format })
  },
})

export const compareRevisions = endpoint({
  route: 'GET /projects/:id/repository/compare',
  summary: 'Compare two branches, tags or commits',
  scope: inRepository,
  can: 'read_code',
  cost: 'heavy',
  params: {
    from: text('Where the comparison begins: a commit, branch or tag', { minLength: 1, maxLength: 1024, examples: ['main'] }),
    to: text('Where the comparison ends: a commit, branch or tag', { minLength: 1, maxLength: 1024, examples: ['main'] }),
    straight: flag('Compare with `from` itself, not with the merge base', { default: false }),
  },
  answers: one(Compare),
  run: async ({ project, repository, params }) => {
    const [from, to] = repository ? await resolveCommits(repository, [params.from, params.to]) : []
    if (!repository || !from || !to) throw notFound('Ref')
    return { comparison: await compare(repository, from, to, { straight: params.straight }), project }
  },
})

export const getMergeBase = endpoint({
  route: 'GET /projects/:id/repository/merge_base',
  summary: 'Get the merge base of several revisions',
  scope: inRepository,
  can: 'read_code',
  cost: 'walk',
  params: {
    refs: described(
      'Commits, branches or tags; at least two',
      Type.Array(Type.String({ maxLength: 1024 }), { maxItems: 100, examples: [['main', 'main']] }),
    ),
  },
  answers: one(Commit),
  run: async ({ project, repository, params: { refs } }) => {
    if (refs.length < 2) throw refused('Provide at least 2 refs')
    const commits = repository ? await resolveCommits(repository, refs) : refs.map(() => undefined)
    const known = commits.filter(commit => commit !== undefined)
    const unknown = refs.filter((_, index) => commits[index] === undefined)
    if (!repository || unknown.length > 0) throw refused(`Could not find ref${unknown.length > 1 ? 's' : ''}: ${unknown.join(', ')}`)
    const id = await mergeBase(repository, known)
    const commit = id && (await readCommit(repository, id))
    if (!commit) throw notFound('Merge Base')
    return { commit, project, repository }
  },
})

const comparers = {
  commits: (a: { commits: number }, b: { commits: number }) => a.commits - b.commits,
  name: (a: { name: string }, b: { name: string }) => a.name.localeCompare(b.name),
  email: (a: { email: string }, b: { email: string }) => a.email.localeCompare(b.email),
}

export const listContributors = endpoint({
  route: 'GET /projects/:id/repository/contributors',
  summary: 'List the contributors to the default branch',
  scope: inRepository,
  can: 'read_code',
  cost: 'heavy',
  params: {
    order_by: OneOf(['commits', 'name', 'email'], { description: 'What the list is ordered by', default: 'commits' }),
    sort: OneOf(['asc', 'desc'], { description: '`asc` or `desc`', default: 'asc' }),
  },
  answers: pageOf(Contributor),
  run: async ({ project, repository, params }) => {
    const commit = repository && (await resolveCommit(repository, project.default_branch ?? 'HEAD'))
    if (!repository || !commit) return slicesOf([])
    const people = [...(await contributors(repository, commit))].sort(comparers[params.order_by])
    if (params.sort === 'desc') people.reverse()
    return slicesOf(people.map(person => ({ ...person, additions: 0, deletions: 0 })))
  },
})
