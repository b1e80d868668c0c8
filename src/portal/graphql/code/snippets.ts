/** Snippets. */
import { Snippet } from '../../../collaboration/snippets/entity.ts'
import { type SnippetRow, snippetsBy, snippetsOf } from '../../../collaboration/snippets/queries.ts'
import { listInProjectFor } from '../reading/access.ts'
import { connectionOf, connectionOfKnown, emptyConnection, type PageArgs } from '../reading/connections.ts'
import type { Part } from '../reading/part.ts'
import { globalId, type Thing } from '../reading/things.ts'
import { shownProject } from '../spaces/projects.ts'

interface File {
  readonly path: string
  readonly raw_url: string
}

type Shown = Thing<SnippetRow, { readonly visibility: string; readonly files: readonly File[] }>

export const snippets: Part = {
  types: `
    extend type Project {
      "Snippets"
      snippets: SnippetConnection
    }
    extend type UserCore {
      "Snippets; those of the caller alone"
      snippets: SnippetConnection
    }
    "A snippet"
    type Snippet {
      "Global ID"
      id: ID!
      "Title"
      title: String!
      "Description in Markdown"
      description: String
      "Who may see it"
      visibilityLevel: VisibilityLevelsEnum!
      "Who wrote it"
      author: UserCore
      "The project; null for a personal one"
      project: Project
      "Path of its first file"
      fileName: String
      "Address of the page for people"
      webUrl: String!
      "Address of the contents of its first file"
      rawUrl: String!
      "Address to clone over SSH"
      sshUrlToRepo: String
      "Address to clone over HTTP"
      httpUrlToRepo: String
      "When it was created"
      createdAt: Time!
      "When it was last changed"
      updatedAt: Time!
      "Files"
      blobs("Paths of the files; all unless given" paths: [String!]): SnippetBlobConnection
    }
    "A file of a snippet"
    type SnippetBlob {
      "Name"
      name: String
      "Path in the repository"
      path: String
      "Path of the contents"
      rawPath: String!
    }
    "Who may see something"
    enum VisibilityLevelsEnum {
      "Members" private
      "All who are signed in" internal
      "Everybody" public
    }
  `,
  resolvers: {
    Project: {
      snippets: listInProjectFor<PageArgs>('list_snippets', (project, args, request) =>
        connectionOf(request, args, 'snippets', Snippet, () => snippetsOf(request.ctx.db, request.ctx.actor, project.id)),
      ),
    },
    UserCore: {
      snippets: (user: { row?: { id: number }; id?: number }, args: PageArgs, request) => {
        const { actor, db } = request.ctx
        return actor.user && (user.row?.id ?? user.id) === actor.user.id
          ? connectionOf(request, args, 'snippets', Snippet, () => snippetsBy(db, actor, (actor.user as { id: number }).id))
          : emptyConnection(request, args)
      },
    },
    Snippet: {
      id: ({ row }: Shown) => globalId(row.project_id === null ? 'PersonalSnippet' : 'ProjectSnippet', row.id),
      visibilityLevel: ({ json }: Shown) => json.visibility,
      project: ({ row }: Shown, _args, request) => shownProject(request, row.project_id),
      blobs: ({ json }: Shown, { paths, ...args }: PageArgs & { paths?: readonly string[] | null }, request) =>
        connectionOfKnown(request, args, () => json.files.filter(({ path }) => paths == null || paths.includes(path))),
    },
    SnippetBlob: {
      name: ({ path }: File) => path.slice(path.lastIndexOf('/') + 1),
      rawPath: ({ raw_url }: File, _args, { ctx }) => raw_url.slice(ctx.url.length),
    },
  },
}
