/** Releases. */
import { Release } from '../../../delivery/releases/entity.ts'
import { type ReleaseRow, releaseOfTag, releasesOf } from '../../../delivery/releases/queries.ts'
import { inProjectFor, listInProjectFor, orderOf, orderValues } from '../reading/access.ts'
import { connectionOf, connectionOfKnown, type PageArgs } from '../reading/connections.ts'
import type { Part } from '../reading/part.ts'
import { globalId, type Thing } from '../reading/things.ts'

/** What the JSON of a release holds; what is about the code is absent for those who may not read it. */
interface Json {
  readonly tag_name?: string
  readonly tag_path?: string
  readonly author?: unknown
  readonly commit?: { readonly id: string } | null
  readonly assets: { readonly count: number; readonly sources?: readonly unknown[]; readonly links: readonly LinkJson[] }
}

interface LinkJson {
  readonly id: number
  readonly direct_asset_url: string
  readonly link_type: string
}

const orders = { created: 'created_at', released_at: 'released_at' } as const

type Shown = Thing<ReleaseRow, Json>

interface ReleasesArgs extends PageArgs {
  readonly sort?: string | null
}

export const releases: Part = {
  types: `
    extend type Project {
      "A release"
      release("Name of the tag" tagName: String!): Release
      "Releases"
      releases("Order of the list" sort: ReleaseSort = RELEASED_AT_DESC): ReleaseConnection
    }
    "Order of a list of releases"
    enum ReleaseSort {
      ${orderValues(Object.keys(orders))}
    }
    "A release"
    type Release {
      "Name"
      name: String
      "Name of the tag"
      tagName: String
      "Path of the page of the tag"
      tagPath: String
      "Description"
      description: String
      "When it was created"
      createdAt: Time
      "When it was or will be released"
      releasedAt: Time
      "Whether the day of the release has not come"
      upcomingRelease: Boolean
      "Who made it"
      author: UserCore
      "The commit of the tag"
      commit: Commit
      "Files of the release"
      assets: ReleaseAssets
    }
    "Files of a release"
    type ReleaseAssets {
      "Number of links and sources"
      count: Int
      "Links to files"
      links: ReleaseAssetLinkConnection
      "Archives of the sources"
      sources: ReleaseSourceConnection
    }
    "A link to a file of a release"
    type ReleaseAssetLink {
      "Global ID"
      id: ID!
      "Name"
      name: String
      "Address"
      url: String
      "Address that stays the same"
      directAssetUrl: String
      "Kind of the file"
      linkType: ReleaseAssetLinkType
    }
    "Kind of a file of a release"
    enum ReleaseAssetLinkType {
      "Image of containers" IMAGE
      "Package" PACKAGE
      "Runbook" RUNBOOK
      "Anything else" OTHER
    }
    "An archive of the sources of a release"
    type ReleaseSource {
      "Format of the archive"
      format: String
      "Address of the archive"
      url: String
    }
  `,
  resolvers: {
    Project: {
      release: inProjectFor<{ tagName: string }>('read_release', async (project, { tagName }, request) => {
        if (!request.may('read_code', project)) return null
        const row = await releaseOfTag(request.ctx.db, project.id, tagName)
        return row ? request.show(Release, row) : null
      }),
      releases: listInProjectFor<ReleasesArgs>('read_release', (project, { sort, ...args }, request) =>
        connectionOf(request, args, 'releases', Release, () =>
          releasesOf(request.ctx.db, project.id, orderOf(sort ?? 'RELEASED_AT_DESC', orders)),
        ),
      ),
    },
    Release: {
      tagName: ({ json }: Shown) => json.tag_name ?? null,
      tagPath: ({ json }: Shown) => json.tag_path ?? null,
      author: ({ json }: Shown) => json.author ?? null,
      commit: ({ json }: Shown) => json.commit ?? null,
      assets: ({ json }: Shown) => json.assets,
    },
    ReleaseAssets: {
      links: ({ links }: Json['assets'], args, request) => connectionOfKnown(request, args, () => links),
      sources: ({ sources }: Json['assets'], args, request) => connectionOfKnown(request, args, () => sources ?? []),
    },
    ReleaseAssetLink: {
      id: ({ id }: LinkJson) => globalId('Releases::Link', id),
      linkType: ({ link_type }: LinkJson) => link_type.toUpperCase(),
    },
  },
}
