/** Avatars: served at the addresses in `avatar_url` fields, and by the API. They are set with their owner. */
import Type from 'typebox'
import { type AvatarRow, avatarUrlByEmail } from '../../identity/avatars/queries.ts'
import type { Ability } from '../../platform/access/abilities.ts'
import { contentDisposition } from '../../platform/kernel/answer/disposition.ts'
import { plain } from '../../platform/kernel/answer/entity.ts'
import { objectAnswer } from '../../platform/kernel/answer/object.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { root } from '../../platform/kernel/declaration/dialect.ts'
import { endpoint, one, type Route, ranged } from '../../platform/kernel/declaration/endpoint.ts'
import { inInstance, type Scope } from '../../platform/kernel/declaration/scope.ts'
import { integer, Nullable, optional, text } from '../../platform/kernel/declaration/types.ts'
import { inGroupAvatar, inGroupAvatarFile, inProjectAvatar, inProjectAvatarFile, inTopicAvatarFile, inUserAvatarFile } from './scope.ts'

/** The image, displayed inline. */
const imageOf = (ctx: Context & { avatar: AvatarRow }) =>
  objectAnswer(ctx, ctx.avatar, { mediaType: ctx.avatar.media_type, disposition: contentDisposition('inline', ctx.avatar.filename) })

const showing = <S extends { avatar: AvatarRow }>(route: Route, summary: string, scope: Scope<S>, can: Ability) =>
  endpoint({ route, summary, scope, can, answers: ranged('image/*'), run: imageOf })

export const getProjectAvatar = showing('GET /projects/:id/avatar', 'Get the avatar of a project', inProjectAvatar, 'read_project')
export const getGroupAvatar = showing('GET /groups/:id/avatar', 'Get the avatar of a group', inGroupAvatar, 'read_group')

const serving = <S extends { avatar: AvatarRow }>(noun: 'project' | 'group' | 'user' | 'topic', scope: Scope<S>, can: Ability) =>
  endpoint({
    // Contract: topics lie below projects in these addresses (public behaviour).
    route: `GET /uploads/-/system/${noun === 'topic' ? 'projects/topic' : noun}/avatar/:id/:filename`,
    summary: `Show the avatar of a ${noun}`,
    scope,
    can,
    dialect: root,
    answers: ranged('image/*'),
    run: imageOf,
  })

export const serveProjectAvatar = serving('project', inProjectAvatarFile, 'read_project')
export const serveGroupAvatar = serving('group', inGroupAvatarFile, 'read_group')
// Contract: the avatar of a user is public at its address (public behaviour at 14.0).
export const serveUserAvatar = serving('user', inUserAvatarFile, 'read_user')
export const serveTopicAvatar = serving('topic', inTopicAvatarFile, 'read_instance')

const AvatarAddress = plain('AvatarAddress', Type.Object({ avatar_url: Nullable(text('Address of the avatar; null where there is none')) }))

export const getAvatarByEmail = endpoint({
  route: 'GET /avatar',
  summary: 'Get the address of the avatar that goes with a public email address',
  scope: inInstance,
  can: 'read_instance',
  params: {
    email: text('Public email of a user', { maxLength: 254, examples: ['ida@example.com'] }),
    size: optional(integer('Accepted: avatars have the one size they came in', { minimum: 1, maximum: 2_048 })),
  },
  answers: one(AvatarAddress),
  // Contract: no other service is contacted for an image (Ingot sends no user's address anywhere): null if the user has none here.
  async run({ db, url, params }) {
    const path = await avatarUrlByEmail(db, params.email)
    return { avatar_url: path && `${url}${path}` }
  },
})
