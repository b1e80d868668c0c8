/** Links of releases (document 2 "Release links"). */
import Type from 'typebox'
import { endpoint, one, pageOf } from '../../../platform/kernel/declaration/endpoint.ts'
import { atLeastOne } from '../../../platform/kernel/request/params.ts'
import { inRelease } from '../scope.ts'
import { createLink, removeLink, updateLink } from './commands.ts'
import { ReleaseLink } from './entity.ts'
import { linkParams } from './params.ts'
import { linksOfRelease } from './queries.ts'
import { inReleaseLink } from './scope.ts'

const path = '/projects/:id/releases/:tag_name/assets/links' as const

export const listReleaseLinks = endpoint({
  route: `GET ${path}`,
  summary: 'List the links of a release',
  scope: inRelease,
  can: 'read_release',
  answers: pageOf(ReleaseLink),
  run: ({ db, release }) => linksOfRelease(db, release.id),
})

export const getReleaseLink = endpoint({
  route: `GET ${path}/:link_id`,
  summary: 'Get a link of a release',
  scope: inReleaseLink,
  can: 'read_release',
  answers: one(ReleaseLink),
  run: ({ link }) => link,
})

export const createReleaseLink = endpoint({
  route: `POST ${path}`,
  summary: 'Add a link to a release',
  scope: inRelease,
  can: 'create_release',
  params: linkParams,
  answers: one(ReleaseLink),
  run: ctx => createLink(ctx, ctx.project, ctx.release, ctx.params),
})

export const updateReleaseLink = endpoint({
  route: `PUT ${path}/:link_id`,
  summary: 'Change a link of a release',
  scope: inReleaseLink,
  can: 'update_release',
  params: { ...linkParams, name: Type.Optional(linkParams.name), url: Type.Optional(linkParams.url) },
  rules: [atLeastOne('name', 'url')],
  answers: one(ReleaseLink),
  run: ctx => updateLink(ctx, ctx.project, ctx.release, ctx.link, ctx.params),
})

// Contract: answers with the deleted link, and 200 (document 2 "Release links").
export const deleteReleaseLink = endpoint({
  route: `DELETE ${path}/:link_id`,
  summary: 'Remove a link from a release',
  scope: inReleaseLink,
  can: 'destroy_release',
  answers: one(ReleaseLink),
  async run(ctx) {
    await removeLink(ctx, ctx.project, ctx.release, ctx.link)
    return ctx.link
  },
})
