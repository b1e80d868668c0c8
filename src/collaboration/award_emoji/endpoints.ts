/** Endpoints of reactions to items and notes (award emoji API at 14.0). */

import { endpoint, nothing, one, pageOf } from '../../platform/kernel/declaration/endpoint.ts'
import { within } from '../../platform/kernel/declaration/scope.ts'
import { integer, text } from '../../platform/kernel/declaration/types.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import type { NoteableApi } from '../notes/items/noteable.ts'
import { type AwardableScope, inAwardable, inAwardableNote } from './awardable.ts'
import { createAward, removeAward } from './commands.ts'
import { AwardEmoji } from './entity.ts'
import { awardOf, awardsOf } from './queries.ts'

/** `:award_id` is resolved to a reaction, or 404. */
export const inAward = (outer: AwardableScope) =>
  within(outer, {
    name: `${outer.name}Award`,
    path: { award_id: integer('ID of a reaction') },
    async load({ db, awardable }, { award_id }) {
      const award = await awardOf(db, awardable, award_id)
      if (!award) throw notFound('Award Emoji')
      return { award }
    },
    modifiedAt: ({ award }) => award.updated_at,
  })

function awardEndpoints({ path, noun, can, ...kind }: Omit<NoteableApi, 'scope'>, scope: AwardableScope) {
  const inOne = inAward(scope)
  const list = endpoint({
    ...kind,
    route: `GET ${path}/award_emoji`,
    summary: `List the reactions to ${noun}`,
    scope,
    can: can.read,
    answers: pageOf(AwardEmoji),
    run: ({ db, awardable }) => awardsOf(db, awardable),
  })
  const get = endpoint({
    ...kind,
    route: `GET ${path}/award_emoji/:award_id`,
    summary: `Get a reaction to ${noun}`,
    scope: inOne,
    can: can.read,
    answers: one(AwardEmoji),
    run: ({ award }) => award,
  })
  const create = endpoint({
    ...kind,
    route: `POST ${path}/award_emoji`,
    summary: `React to ${noun}`,
    scope,
    can: can.award,
    params: { name: text('Name of an emoji, without colons', { maxLength: 255, examples: ['thumbsup'] }) },
    answers: one(AwardEmoji),
    run: ctx => createAward(ctx, ctx.awardable, ctx.params.name),
  })
  const remove = endpoint({
    ...kind,
    route: `DELETE ${path}/award_emoji/:award_id`,
    summary: `Remove a reaction to ${noun}; one’s own, or any for administrators`,
    scope: inOne,
    can: can.award,
    answers: nothing,
    run: ctx => removeAward(ctx, ctx.award),
  })
  return [list, get, create, remove]
}

/** The reaction endpoints of items of one kind, and of their notes. */
export const awardEmojiEndpoints = ({ scope, path, noun, ...kind }: NoteableApi) => [
  ...awardEndpoints({ ...kind, path, noun }, inAwardable(scope)),
  ...awardEndpoints({ ...kind, path: `${path}/notes/:note_id`, noun: `a note about ${noun}` }, inAwardableNote(scope)),
]
