/** Reacting to items and their notes with any emoji of the API: by buttons, and by a page that finds them by their names. */
import { type AwardableScope, inAwardable, inAwardableNote } from '../../collaboration/award_emoji/awardable.ts'
import { awardEmojiEndpoints, inAward } from '../../collaboration/award_emoji/endpoints.ts'
import { reactionsTo } from '../../collaboration/award_emoji/queries.ts'
import { columnOf } from '../../collaboration/item_kinds/kinds.ts'
import type { NoteableApi, NoteableScope } from '../../collaboration/notes/items/noteable.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { Endpoint } from '../../platform/kernel/declaration/endpoint.ts'
import { text } from '../../platform/kernel/declaration/types.ts'
import { action } from '../../platform/pages/forms/action.ts'
import { pageEndpoint } from '../../platform/pages/forms/declare.ts'
import { declarationOf } from '../../platform/pages/forms/declared.ts'
import { type Page, page, part } from '../../platform/pages/frame/document.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { emojiMatching } from './emoji.ts'
import { foundView, pickerView, reactionsPage } from './reactions_view.ts'

/** Emoji that are shown at a time. */
const MOST = 120

/** A kind of item whose reactions have pages. `S`: what its scope gives. */
export interface ReactedTo<S extends object> {
  /** The path of every page of an item. */
  readonly route: `/${string}`
  readonly scope: NoteableScope
  readonly api: NoteableApi
  /** Only notes have reactions. */
  readonly notesAlone?: boolean
  /** The path of an item's page, with what follows it. */
  readonly address: (subjects: S, rest?: string) => string
  readonly mayReact: (ctx: Context & S) => boolean
  /** The page around the reactions, and the link back to the item. */
  readonly frame: (ctx: Context & S) => Omit<Page, 'body' | 'status'>
  readonly backLink: (ctx: S) => Html
}

/** The endpoints of reactions to items of a kind, and to notes on them. */
export function reactionEndpoints<S extends object>(kind: ReactedTo<S>): Readonly<Record<string, Endpoint>> {
  const { route, scope, api, address } = kind
  const awards = awardEmojiEndpoints(api)
  const of = (path: string, reactedTo: AwardableScope, ending: string) => ({
    show: reactionsOf(kind, `${route}${path}`, reactedTo),
    react: action({
      route: `POST ${route}${path}/reactions`,
      of: declarationOf(awards, 'POST', new RegExp(`${ending}/award_emoji$`)),
      scope: reactedTo,
      next: ctx => address(ctx as unknown as S),
      notice: 'Your reaction was added.',
    }),
    takeBack: action({
      route: `POST ${route}${path}/reactions/:award_id/delete`,
      of: declarationOf(awards, 'DELETE', new RegExp(`${ending}/award_emoji/:award_id$`)),
      scope: inAward(reactedTo),
      next: ctx => address(ctx as unknown as S),
      notice: 'Your reaction was taken back.',
    }),
  })
  const item = kind.notesAlone ? undefined : of('', inAwardable(scope), '(?:_iid|snippet_id)')
  const note = of('/notes/:note_id', inAwardableNote(scope), ':note_id')
  return {
    ...(item && { showReactions: item.show, react: item.react, takeBack: item.takeBack }),
    showReactionsToNote: note.show,
    reactToNote: note.react,
    takeBackOfNote: note.takeBack,
  }
}

const reactionsOf = <S extends object>(kind: ReactedTo<S>, route: string, scope: AwardableScope): Endpoint =>
  pageEndpoint({
    route: `GET ${route}/reactions` as `GET /${string}`,
    summary: `Show the reactions to ${route.endsWith(':note_id') ? 'a note on ' : ''}${kind.api.noun}, and emoji to react with`,
    scope,
    can: kind.api.can.read as never,
    ...(kind.api.tier && { tier: kind.api.tier }),
    params: { search: text('A part of the name of an emoji', { maxLength: 60, default: '' }) },
    async run(input) {
      const ctx = input as unknown as Context & S & typeof input
      const { awardable, params } = ctx
      const { key } = awardable
      const at = (ctx.request.address.split('?', 1)[0] as string).replace(/\/reactions$/, '')
      const found = emojiMatching(params.search, MOST)
      const frame = ctx.request.headers['turbo-frame']
      if (frame !== undefined) return part((String(frame).endsWith('-menu') ? pickerView : foundView)(ctx, at, found))
      const [column, id] = 'note_id' in key ? (['note_id', key.note_id] as const) : columnOf(key)
      const reactions = (await reactionsTo(ctx, column, [id])).get(id) ?? []
      const body = reactionsPage({ ctx, mayReact: kind.mayReact(ctx) }, at, { reactions, search: params.search, found })
      return page(ctx, { ...kind.frame(ctx), body: html`${kind.backLink(ctx)}${body}` })
    },
  })
