/** Mutations of releases and the links of their files. */

import { Release } from '../../../../delivery/releases/entity.ts'
import { presentLink } from '../../../../delivery/releases/links/entity.ts'
import type { LinkRow } from '../../../../delivery/releases/links/queries.ts'
import type { ReleaseRow } from '../../../../delivery/releases/queries.ts'
import type { Route } from '../../../../platform/kernel/declaration/endpoint.ts'
import { numberIn } from '../../reading/ids.ts'
import { Thing } from '../../reading/things.ts'
import type { Mutations } from '../mutation.ts'
import { projectAt } from '../places.ts'
import { type MutationRun, type Payload, required, type Sent } from '../run.ts'

const CREATE: Route = 'POST /projects/:id/releases'
const UPDATE: Route = 'PUT /projects/:id/releases/:tag_name'
const DELETE: Route = 'DELETE /projects/:id/releases/:tag_name'
const CREATE_LINK: Route = 'POST /projects/:id/releases/:tag_name/assets/links'
const UPDATE_LINK: Route = 'PUT /projects/:id/releases/:tag_name/assets/links/:link_id'
const DELETE_LINK: Route = 'DELETE /projects/:id/releases/:tag_name/assets/links/:link_id'

interface Named {
  readonly projectPath: string
  readonly tagName: string
}

const named = `
  "Full path of the project" projectPath: ID!
  "Name of the tag" tagName: String!
`

const idsOf = ({ projectPath, tagName }: Named): Sent => ({ id: projectAt(projectPath), tag_name: tagName })

interface Link {
  readonly name?: string | null
  readonly url?: string | null
  readonly directAssetPath?: string | null
  readonly linkType?: string | null
}

const linkFields = (required: boolean) => `
  "Name" name: String${required ? '!' : ''}
  "Address" url: String${required ? '!' : ''}
  "Path of the permanent address below the release" directAssetPath: String
  "Kind of the file" linkType: ReleaseAssetLinkType${required ? ' = OTHER' : ''}
`

const linkOf = ({ name, url, directAssetPath, linkType }: Link): Sent => ({
  name: name ?? undefined,
  url: url ?? undefined,
  filepath: directAssetPath,
  link_type: linkType?.toLowerCase(),
})

interface Attributes extends Named {
  readonly ref?: string | null
  readonly name?: string | null
  readonly description?: string | null
  readonly releasedAt?: string | null
  readonly milestones?: readonly string[] | null
  readonly assets?: { readonly links?: readonly Link[] | null } | null
}

const attributes = `
  "Name" name: String
  "Description" description: String
  "When it was or will be released" releasedAt: Time
  "Titles of milestones" milestones: [String!]
`

const attributesOf = (input: Attributes): Sent => ({
  ...idsOf(input),
  name: input.name ?? undefined,
  description: input.description ?? undefined,
  released_at: input.releasedAt ?? undefined,
  milestones: input.milestones ?? undefined,
})

const payload = '"The release after the mutation" release: Release'
const linkPayload = '"The link after the mutation" link: ReleaseAssetLink'

const shown = async ({ request }: MutationRun, row: unknown): Promise<Payload> => ({
  release: await request.show(Release, row as ReleaseRow),
})

const shownLink = ({ ctx }: MutationRun, row: unknown): Payload => ({ link: presentLink(row as LinkRow, ctx) })

/** Where a link is. */
async function linkPlace({ ctx }: MutationRun, globalId: string): Promise<Sent> {
  const link_id = numberIn('ReleasesLinkID', globalId)
  const row = await ctx.db
    .selectFrom('release_links')
    .innerJoin('releases', 'releases.id', 'release_links.release_id')
    .select(['releases.project_id', 'releases.tag'])
    .where('release_links.id', '=', link_id)
    .executeTakeFirst()
  const { project_id, tag } = required(row)
  return { id: String(project_id), tag_name: tag, link_id }
}

export const releaseMutations: Mutations = {
  releaseCreate: {
    says: 'Create a release, and its tag where it is missing',
    input: `
      ${named}
      "Branch, tag or commit that a new tag is made of" ref: String
      ${attributes}
      "Links to files" assets: ReleaseAssetsInput
    `,
    payload,
    runs: [CREATE],
    async run(input: Attributes, run) {
      const links = input.assets?.links?.map(linkOf)
      const sent = { ...attributesOf(input), ref: input.ref ?? undefined, assets: links && { links } }
      return shown(run, (await run.perform(CREATE, sent)).result)
    },
  },
  releaseUpdate: {
    says: 'Change a release',
    input: `${named}${attributes}`,
    payload,
    runs: [UPDATE],
    run: async (input: Attributes, run) => shown(run, (await run.perform(UPDATE, attributesOf(input))).result),
    otherwise: async (input: Attributes, run) => shown(run, (await run.subjects(UPDATE, idsOf(input))).release),
  },
  releaseDelete: {
    says: 'Delete a release and keep its tag',
    input: named,
    payload,
    runs: [DELETE],
    async run(input: Named, run) {
      const { subjects, result } = await run.perform(DELETE, idsOf(input))
      return { release: new Thing(subjects.release, result) }
    },
  },
  releaseAssetLinkCreate: {
    says: 'Add a link to a file to a release',
    input: `${named}${linkFields(true)}`,
    payload: linkPayload,
    runs: [CREATE_LINK],
    run: async (input: Named & Link, run) => shownLink(run, (await run.perform(CREATE_LINK, { ...idsOf(input), ...linkOf(input) })).result),
  },
  releaseAssetLinkUpdate: {
    says: 'Change a link to a file of a release',
    input: `"The link" id: ReleasesLinkID! ${linkFields(false)}`,
    payload: linkPayload,
    runs: [UPDATE_LINK],
    run: async (input: Link & { id: string }, run) =>
      shownLink(run, (await run.perform(UPDATE_LINK, { ...(await linkPlace(run, input.id)), ...linkOf(input) })).result),
  },
  releaseAssetLinkDelete: {
    says: 'Take a link to a file from a release',
    input: '"The link" id: ReleasesLinkID!',
    payload: linkPayload,
    runs: [DELETE_LINK],
    run: async (input: { id: string }, run) => shownLink(run, (await run.perform(DELETE_LINK, await linkPlace(run, input.id))).result),
  },
}

export const releaseTypes = `
  "Links to files of a new release"
  input ReleaseAssetsInput {
    "The links" links: [ReleaseAssetLinkInput!]
  }
  "A link to a file"
  input ReleaseAssetLinkInput {
    ${linkFields(true)}
  }
`
