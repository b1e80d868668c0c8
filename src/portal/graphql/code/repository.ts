/** Repositories: trees, files and commits. */

import { presentCommit } from '../../../code/repository/commits/entity.ts'
import {
  lastCommitFor,
  listTree,
  objectInfo,
  pathParts,
  type Repository,
  readBlob,
  resolveCommit,
  type TreeRow,
} from '../../../platform/git/index.ts'
import { withoutSlashes } from '../../../platform/patterns/slashes.ts'
import { findRepository } from '../../../spaces/projects/repository/store.ts'
import type { ProjectWithRole } from '../../../spaces/projects/scope.ts'
import { inProjectFor } from '../reading/access.ts'
import { connectionOfKnown, type PageArgs } from '../reading/connections.ts'
import type { Part } from '../reading/part.ts'
import type { GraphRequest } from '../reading/request.ts'

/** Bytes of the largest file whose text is shown. */
const MOST_BYTES = 1024 * 1024

interface At {
  readonly project: ProjectWithRole
  readonly repository: Repository | undefined
}

interface Tree extends At {
  readonly commit: string | undefined
  readonly path: string
  readonly ref: string
  readonly rows: () => Promise<readonly TreeRow[]>
}

const pageOf = ({ project, ref }: Pick<Tree, 'project' | 'ref'>, kind: 'blob' | 'tree', path: string) =>
  `/${project.full_path}/-/${kind}/${[ref, ...path.split('/')]
    .map(encodeURIComponent)
    .join('/')
    .replace(/^[^/]*/, name => name.replaceAll('%2F', '/'))}`

const commitOf = async ({ project, repository }: At, ref: string | null | undefined) =>
  repository && (await resolveCommit(repository, ref || project.default_branch || 'HEAD'))

/** The entries of a kind as a connection. */
const entries = (type: TreeRow['type']) => (tree: Tree, args: PageArgs, request: GraphRequest) =>
  connectionOfKnown(
    request,
    args,
    async () => (await tree.rows()).filter(row => row.type === type),
    row => ({
      ...row,
      flatPath: row.path,
      sha: row.id,
      webPath: pageOf(tree, 'blob', row.path),
      treePath: pageOf(tree, 'tree', row.path),
    }),
  )

interface BlobsArgs extends PageArgs {
  readonly paths: readonly string[]
  readonly ref?: string | null
}

interface Blob extends At {
  readonly id: string
  readonly path: string
  readonly mode: string
  readonly ref: string
  readonly size: number | null
}

/** The files at these paths with their sizes: each directory is read once. */
async function filesAt(read: Repository, commit: string, paths: readonly string[]) {
  const found = new Map<string, TreeRow>()
  const wanted = paths.filter(path => pathParts(path) !== undefined)
  for (const [path, some] of Map.groupBy(wanted, one => one.slice(0, Math.max(0, one.lastIndexOf('/'))))) {
    const names = new Set(some)
    const directory = await listTree(read, { commit, path })
    for (const row of directory?.rows ?? []) if (row.type === 'blob' && names.has(row.path)) found.set(row.path, row)
  }
  const files = wanted.flatMap(path => found.get(path) ?? [])
  const infos = await objectInfo(
    read,
    files.map(({ id }) => id),
  )
  return files.map((file, index) => ({ ...file, size: infos[index]?.size ?? null }))
}

const entryFields = (what: string) => `
  "Global ID: that of the object in git"
  id: ID!
  "Name of the ${what}"
  name: String!
  "Path in the repository"
  path: String!
  "Path in the repository"
  flatPath: String!
  "ID of the object in git"
  sha: String!
  "Kind of the entry"
  type: EntryType!
`

export const repository: Part = {
  types: `
    extend type Project {
      "The repository"
      repository: Repository
    }
    "A repository"
    type Repository {
      "Whether nothing was pushed yet"
      empty: Boolean!
      "Whether it is there on disk"
      exists: Boolean!
      "Default branch"
      rootRef: String
      "A directory"
      tree(
        "Path of the directory; the root unless given" path: String = ""
        "Branch, tag or commit; the default branch unless given" ref: String
        "The directories below it too" recursive: Boolean = false
      ): Tree
      "Files"
      blobs(
        "Paths of the files" paths: [String!]!
        "Branch, tag or commit; the default branch unless given" ref: String
      ): RepositoryBlobConnection
    }
    "A directory"
    type Tree {
      "Files"
      blobs: BlobConnection!
      "Directories"
      trees: TreeEntryConnection!
      "Submodules"
      submodules: SubmoduleConnection!
      "The newest commit that changed it"
      lastCommit: Commit
    }
    "Kind of an entry of a directory"
    enum EntryType {
      "Directory" tree
      "File" blob
      "Submodule" commit
    }
    "A file of a directory"
    type Blob {
      ${entryFields('file')}
      "Mode of the file, octal"
      mode: String
      "Path of the page for people"
      webPath: String
    }
    "A directory within a directory"
    type TreeEntry {
      ${entryFields('directory')}
      "Path of the page for people"
      webPath: String
    }
    "A submodule"
    type Submodule {
      ${entryFields('submodule')}
    }
    "A file with its text"
    type RepositoryBlob {
      "Global ID: that of the object in git"
      id: ID!
      "Name"
      name: String!
      "Path in the repository"
      path: String!
      "ID of the object in git"
      oid: String!
      "Mode of the file, octal"
      mode: String
      "Size in bytes"
      size: BigInt
      "Text; null for a file of more than 1 MB"
      rawBlob: String
      "Path of the page for people"
      webPath: String
    }
    "A commit"
    type Commit {
      "ID of the commit"
      id: ID!
      "ID of the commit"
      sha: String!
      "First characters of the ID"
      shortId: String!
      "First line of the message"
      title: String
      "Whole message"
      message: String
      "Message without its first line"
      description: String
      "Name of the author"
      authorName: String
      "When the change was written"
      authoredDate: Time
      "Address of the page for people"
      webUrl: String!
    }
  `,
  resolvers: {
    Project: {
      repository: inProjectFor(
        'read_code',
        async (project, _args, request): Promise<At> => ({
          project,
          repository: await findRepository(request.ctx.deps.storages, project),
        }),
      ),
    },
    Repository: {
      empty: ({ project }: At) => project.empty_repo,
      exists: (at: At) => at.repository !== undefined,
      rootRef: ({ project }: At) => (project.empty_repo ? null : project.default_branch),
      async tree(at: At, { path, ref, recursive }: { path?: string | null; ref?: string | null; recursive?: boolean | null }, request) {
        const commit = await commitOf(at, ref)
        if (!at.repository || !commit) return null
        const { repository: read } = at
        const directory = withoutSlashes(path ?? '')
        const options = { commit, path: directory, recursive: recursive ?? false }
        let rows: Promise<readonly TreeRow[]> | undefined
        const counted = async () => {
          const list = () => listTree(read, options)
          // One directory is light work; all of them grow with the repository.
          const listed = (await (recursive ? request.repositories.inTurn(list) : list()))?.rows ?? []
          request.repositories.count('entries', listed.length)
          return listed
        }
        return {
          ...at,
          commit,
          path: directory,
          ref: ref || at.project.default_branch || 'HEAD',
          rows: () => {
            rows ??= counted()
            return rows
          },
        } satisfies Tree
      },
      blobs(at: At, { paths, ref, ...args }: BlobsArgs, request) {
        const wanted = [...new Set(paths)]
        request.repositories.count('files', wanted.length)
        return connectionOfKnown(request, args, async () => {
          const commit = await commitOf(at, ref)
          const { repository: read } = at
          if (!read || !commit) return []
          const files = await request.repositories.inTurn(() => filesAt(read, commit, wanted))
          const shown = { ...at, ref: ref || at.project.default_branch || 'HEAD' }
          return files.map(({ id, path, mode, size }) => ({ ...shown, id, path, mode, size }) satisfies Blob)
        })
      },
    },
    Tree: {
      blobs: entries('blob'),
      trees: entries('tree'),
      submodules: entries('commit'),
      async lastCommit({ repository: read, commit, path, project }: Tree, _args, request) {
        if (!read || !commit || (path !== '' && pathParts(path) === undefined)) return null
        const found = await request.repositories.inTurn(() => lastCommitFor(read, commit, path))
        return found ? presentCommit(found, project, request.ctx) : null
      },
    },
    TreeEntry: { webPath: ({ treePath }: { treePath: string }) => treePath },
    RepositoryBlob: {
      name: ({ path }: Blob) => path.slice(path.lastIndexOf('/') + 1),
      oid: ({ id }: Blob) => id,
      async rawBlob({ repository: read, id, size }: Blob, _args, request) {
        if (!read || size === null || size > MOST_BYTES) return null
        request.repositories.count('bytes', size)
        return (await request.repositories.inTurn(() => readBlob(read, id, MOST_BYTES))).toString()
      },
      webPath: (blob: Blob) => pageOf(blob, 'blob', blob.path),
    },
    Commit: {
      sha: ({ id }: { id: string }) => id,
      description: ({ message, title }: { message: string; title: string }) => message.slice(title.length).trim() || null,
    },
  },
}
