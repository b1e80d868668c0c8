/** Avatars in paths: of a project, a group, a user or a topic, alone or with the file name. */
import type { TProperties } from 'typebox'
import { type AvatarOwner, avatarOf } from '../../identity/avatars/queries.ts'
import { inUserById } from '../../identity/users/scope.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { type Scope, within } from '../../platform/kernel/declaration/scope.ts'
import { text } from '../../platform/kernel/declaration/types.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { inGroup } from '../groups/scope.ts'
import { inProject } from '../projects/scope.ts'
import { inTopic } from '../topics/scope.ts'

/** The avatar of the subject of a scope, or 404. */
const avatarIn = <S extends object, P extends TProperties>(name: string, outer: Scope<S, P>, ownerOf: (subjects: S) => AvatarOwner) =>
  within(outer, {
    name,
    path: {},
    async load(ctx: Context & S) {
      const avatar = await avatarOf(ctx.db, ownerOf(ctx))
      if (!avatar) throw notFound('Avatar')
      return { avatar }
    },
  })

/** The same by file name: an address from before a change of the avatar is 404. */
const avatarFileIn = <S extends object, P extends TProperties>(name: string, outer: Scope<S, P>, ownerOf: (subjects: S) => AvatarOwner) =>
  within(outer, {
    name,
    path: { filename: text('Name of the file') },
    async load(ctx: Context & S, { filename }: { filename: string }) {
      const avatar = await avatarOf(ctx.db, ownerOf(ctx))
      if (avatar?.filename !== filename) throw notFound('Avatar')
      return { avatar }
    },
  })

const projectOwner = ({ project }: { project: { id: number } }) => ({ project_id: project.id })
const groupOwner = ({ group }: { group: { id: number } }) => ({ namespace_id: group.id })
const topicOwner = ({ topic }: { topic: { id: number } }) => ({ topic_id: topic.id })
const userOwner = ({ user }: { user: { id: number } }) => ({ user_id: user.id })

export const inProjectAvatar = avatarIn('inProjectAvatar', inProject, projectOwner)
export const inGroupAvatar = avatarIn('inGroupAvatar', inGroup, groupOwner)
export const inProjectAvatarFile = avatarFileIn('inProjectAvatarFile', inProject, projectOwner)
export const inGroupAvatarFile = avatarFileIn('inGroupAvatarFile', inGroup, groupOwner)
export const inUserAvatarFile = avatarFileIn('inUserAvatarFile', inUserById, userOwner)
export const inTopicAvatarFile = avatarFileIn('inTopicAvatarFile', inTopic, topicOwner)
