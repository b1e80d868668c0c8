/** What people write on the page of an item: comments, threads, answers, changes of them, and reactions. The same for each kind of item. */

import { discussionEndpoints } from '../../collaboration/discussions/endpoints.ts'
import type { DiscussionRow } from '../../collaboration/discussions/queries.ts'
import { mayResolve } from '../../collaboration/discussions/resolution.ts'
import { inDiscussion } from '../../collaboration/discussions/scope.ts'
import { noteEndpoints } from '../../collaboration/notes/endpoints.ts'
import { isLockedFor } from '../../collaboration/notes/items/commenter.ts'
import { type Noteable, type NoteableApi, subjectOf } from '../../collaboration/notes/items/noteable.ts'
import { lockNoteBody, type NoteRow } from '../../collaboration/notes/queries.ts'
import { inNote } from '../../collaboration/notes/scope.ts'
import { type Ability, allows } from '../../platform/access/abilities.ts'
import { slicesOf } from '../../platform/kernel/answer/page.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { Endpoint } from '../../platform/kernel/declaration/endpoint.ts'
import type { Scope } from '../../platform/kernel/declaration/scope.ts'
import { integer } from '../../platform/kernel/declaration/types.ts'
import { action } from '../../platform/pages/forms/action.ts'
import { pageEndpoint } from '../../platform/pages/forms/declare.ts'
import { declarationOf } from '../../platform/pages/forms/declared.ts'
import { form } from '../../platform/pages/forms/form.ts'
import { page, part } from '../../platform/pages/frame/document.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { listPage, listParams } from '../../platform/pages/lists.ts'
import { eitherPath, eitherPlace, type InEither } from '../places/planning.ts'
import { reactionEndpoints } from '../reactions/reaction_endpoints.ts'
import { commentFields, commentInstead } from './comment_fields.ts'
import { tickAction } from './tasks.ts'
import { bodyChangesByOthers, bodyToStore, knownBody } from './text_changes.ts'
import { notesOf, PART, timelinePart } from './timeline.ts'
import { gapView, noteView, partView, type TimelineFrame } from './timeline_view.ts'

/** What the scope of an item's page gives: the item, and the project or group that it belongs to. */
export interface InItem extends InEither {
  readonly noteable: Noteable
}

/** A kind of item, as its pages need it. */
export interface ItemPages {
  /** The path of every page of an item: `/:project_path/-/issues/:issue_iid`. */
  readonly route: `/${string}`
  readonly scope: Scope<InItem>
  readonly api: NoteableApi
  /** Can threads be resolved? */
  readonly resolvable: boolean
  /** The tab that the pages belong to, and what stands before the number in their addresses: `issues`. */
  readonly tab: string
  /** Before a number: `#`. */
  readonly sigil: string
  /** Needed to read internal notes; to close and reopen, where that can be. */
  readonly readInternal: Ability
  readonly update?: Ability
  /** The path of its page, and its name: where they do not follow from the tab and the number. */
  readonly pageOf?: (subjects: InItem) => string
  readonly nameOf?: (subjects: InItem) => string
  /** Only notes have reactions. */
  readonly notesAlone?: boolean
  /** Where a button or form in a thread leads that stands on another page than the item's; undefined where it stands on that. */
  readonly elsewhere?: (ctx: Context & InItem, thread: string | undefined) => string | undefined
  /** The path of the form of an issue that follows a thread up; undefined where the caller may open none. */
  readonly followUp?: (ctx: Context & InItem) => ((thread: string) => string) | undefined
  /** The path of the lines that a thread is about, below that of the item's page. */
  readonly linesOf?: (thread: string) => string
}

export interface ItemComments {
  /** What a caller may do with the comments on an item's page. */
  readonly frameOf: (ctx: Context & InItem) => TimelineFrame
  /** The section of an item's page in which the caller comments, or the reason why not. */
  readonly commentSection: (ctx: Context & InItem) => Promise<Html>
  readonly endpoints: Readonly<Record<string, Endpoint>>
}

/** Scopes of what hangs on an item know no more than that; within its page they give what that gives too. */
const withItem = <More extends object>(inner: Scope<More>): Scope<InItem & More> => inner as unknown as Scope<InItem & More>

export function itemComments({
  route,
  scope,
  api,
  resolvable,
  tab,
  sigil,
  readInternal,
  update,
  pageOf = subjects => eitherPath(subjects, `/-/${tab}/${subjects.noteable.item.iid}`),
  nameOf = ({ noteable }) => `${sigil}${noteable.item.iid}`,
  notesAlone = false,
  elsewhere,
  followUp,
  linesOf,
}: ItemPages): ItemComments {
  const notes = noteEndpoints(api)
  const threads = discussionEndpoints(api, resolvable)
  const inOneNote = withItem(inNote(scope))
  const inThread = withItem(inDiscussion(scope))
  const { noun } = api
  const tier = api.tier && { tier: api.tier }

  /** The path of an item's page, with what follows it. */
  const address = (subjects: InItem, rest = ''): string => `${pageOf(subjects)}${rest}`

  /** May the caller do this, to what is, or is not, their own? */
  const mayIn = ({ actor, noteable }: Context & InItem, ability: Ability, own = noteable.isOwn): boolean =>
    allows(actor, ability, subjectOf(noteable, own)) === 'yes'

  const fields = (ctx: Context & InItem, isPlain = false) =>
    commentFields(eitherPath(ctx, '/-'), {
      mayHide: !isPlain && mayIn(ctx, readInternal),
      takesFiles: ctx.project !== undefined,
    })

  const frame = (title: string) => (ctx: Context & InItem) => ({
    title: `${title} ${nameOf(ctx)}`,
    place: eitherPlace(ctx.actor, ctx, tab),
    scripts: ['markdown_editor.js'],
  })

  /** Where a comment can be seen: the note, or the page where the text had quick actions only. */
  const afterNote = (ctx: Context & InItem, said: { readonly id?: number; readonly discussion_id?: string }): string =>
    elsewhere?.(ctx, said.discussion_id) ?? address(ctx, said.id === undefined ? '' : `#note_${said.id}`)

  const noticeOf = (otherwise: string) => (said: { readonly summary?: readonly string[] }) => said.summary?.join(' ') || otherwise

  const comment = form<InItem>({
    path: `${route}/comment`,
    summary: `Comment on ${noun}`,
    scope,
    of: declarationOf(notes, 'POST', /\/notes$/),
    instead: commentInstead,
    fields: ctx => fields(ctx),
    second(ctx) {
      const { state } = ctx.noteable.item
      if (!update || !mayIn(ctx, update) || state === 'merged') return undefined
      return state === 'opened'
        ? { name: 'also', value: 'close', label: 'Comment and close' }
        : { name: 'also', value: 'reopen', label: 'Comment and reopen' }
    },
    next: afterNote,
    cancel: ctx => address(ctx),
    notice: noticeOf('The comment was added.'),
    button: 'Comment',
    frame: frame('Comment on'),
  })

  const begin = form<InItem>({
    path: `${route}/discussions/new`,
    summary: `Start a thread on ${noun}`,
    scope,
    of: declarationOf(threads, 'POST', /\/discussions$/),
    instead: commentInstead,
    fields: ctx => fields(ctx),
    next: (ctx, said: { readonly notes?: readonly { readonly id: number }[] }) => afterNote(ctx, said.notes?.[0] ?? {}),
    cancel: ctx => address(ctx),
    notice: noticeOf('The thread was started.'),
    button: 'Start the thread',
    frame: frame('Start a thread on'),
  })

  const answering = form<InItem & { readonly discussion: { readonly id: string } }>({
    path: `${route}/discussions/:discussion_id/reply`,
    summary: `Reply to a thread on ${noun}`,
    scope: inThread,
    of: declarationOf(threads, 'POST', /:discussion_id\/notes$/),
    instead: { ...commentInstead, of: [...commentInstead.of, 'internal'] },
    fields: ctx => fields(ctx, true),
    next: afterNote,
    cancel: ctx => address(ctx),
    notice: noticeOf('The comment was added.'),
    button: 'Reply',
    within: ({ discussion }) => `reply-${discussion.id}`,
    frame: frame('Reply in a thread on'),
  })

  const edit = form<InItem & { readonly note: NoteRow }>({
    path: `${route}/notes/:note_id/edit`,
    summary: `Change a comment on ${noun}`,
    scope: inOneNote,
    of: declarationOf(notes, 'PUT', /:note_id$/),
    instead: {
      of: ['body', 'confidential', 'internal'],
      params: { body: commentInstead.params.body, ...knownBody },
      adapt: async ({ note }, sent) => ({ body: bodyToStore(note.body, sent) }),
    },
    fields: ctx => fields(ctx, true),
    values: ({ note }) => ({ body: note.body }),
    fixed: ({ note }) => ({ known_body: note.body }),
    before: async ({ note }, sent) => bodyChangesByOthers(note.body, sent),
    next: afterNote,
    notice: noticeOf('The comment was changed.'),
    button: 'Save',
    within: ({ note }) => `note-${note.id}`,
    cancel: ctx => address(ctx, `#note_${ctx.note.id}`),
    cancelsWithin: true,
    frame: frame('Change a comment on'),
  })

  const frameOf = (ctx: Context & InItem): TimelineFrame => {
    const isOpen = !isLockedFor(ctx.actor, ctx.noteable)
    const followUpPath = followUp?.(ctx)
    return {
      ctx,
      ...(followUpPath && { followUpPath }),
      ...(linesOf && { linesPath: thread => address(ctx, linesOf(thread)) }),
      page: address(ctx),
      maySay: isOpen && mayIn(ctx, api.can.say),
      mayReact: isOpen && mayIn(ctx, api.can.award),
      mayChange: isOwnNote => mayIn(ctx, api.can.change, isOwnNote),
      mayResolve: isOpen && resolvable && mayResolve(ctx.actor, ctx.noteable),
    }
  }

  /** Why the caller may not comment. */
  const whyNot = (ctx: Context & InItem): string | Html => {
    if (ctx.project?.archived) return 'The project is archived: nobody comments.'
    if (!ctx.actor.user)
      return html`<a href="/users/sign_in?${new URLSearchParams({ redirect: address(ctx) }).toString()}">Sign in</a> to comment.`
    return isLockedFor(ctx.actor, ctx.noteable) ? 'The discussion is locked: only members comment.' : 'You may not comment here.'
  }

  const commentSection = async (ctx: Context & InItem): Promise<Html> => {
    const here = address(ctx)
    const inside = frameOf(ctx).maySay
      ? html`${await comment.embed(ctx, `${here}/comment`)}<p class="small"><a href="${here}/discussions/new">Start a thread</a>, which ${resolvable ? 'can be resolved' : 'others can answer'}.</p>`
      : html`<p class="muted">${whyNot(ctx)}</p>`
    return html`<section class="section" aria-label="Your comment">${inside}</section>`
  }

  const showTimelinePart = pageEndpoint({
    route: `GET ${route}/timeline`,
    summary: `Show a part of the timeline of ${noun}`,
    scope: scope as never,
    can: api.can.read as never,
    ...tier,
    params: {
      from: integer('The first entry', { minimum: 0, maximum: 100_000, default: 0 }),
      to: integer('The entry before which it ends', { minimum: 0, maximum: 100_000, default: PART }),
    },
    async run(input) {
      const ctx = input as unknown as Context & InItem & { params: { from: number; to: number } }
      const { from, to } = ctx.params
      const timeline = frameOf(ctx)
      const shown = await timelinePart(ctx, ctx.noteable, from, to)
      const rest = from + PART < to ? gapView(timeline, { from: from + PART, to }) : undefined
      const body = html`<turbo-frame id="timeline-${from}" data-keep="${to}">${partView(timeline, shown)}${rest}</turbo-frame>`
      if (ctx.request.headers['turbo-frame'] !== undefined) return part(body)
      return page(ctx, { ...frame('Timeline of')(ctx), body: html`${backLink(ctx)}${body}` })
    },
  })

  /** Without buttons: those are on the page of the item. */
  const reading = (ctx: Context & InItem): TimelineFrame => ({
    ctx,
    page: address(ctx),
    maySay: false,
    mayReact: false,
    mayChange: () => false,
    mayResolve: false,
  })

  const showNote = pageEndpoint({
    route: `GET ${route}/notes/:note_id`,
    summary: `Show a comment on ${noun}`,
    scope: inOneNote as never,
    can: api.can.read as never,
    ...tier,
    async run(input) {
      const ctx = input as unknown as Context & InItem & { readonly note: NoteRow }
      const [shown] = await notesOf(ctx, ctx.noteable, [ctx.note])
      return page(ctx, { ...frame('A comment on')(ctx), body: html`${backLink(ctx)}${shown && noteView(reading(ctx), shown)}` })
    },
  })

  const showThread = pageEndpoint({
    route: `GET ${route}/discussions/:discussion_id`,
    summary: `Show a thread on ${noun}`,
    scope: inThread as never,
    can: api.can.read as never,
    ...tier,
    params: listParams,
    async run(input) {
      const ctx = input as unknown as Context & InItem & { discussion: DiscussionRow; params: { page: number; per_page: number } }
      const found = await listPage(ctx, slicesOf(ctx.discussion.notes), ctx.params)
      const shown = await notesOf(ctx, ctx.noteable, found.rows)
      const body = html`${backLink(ctx)}<div class="stack">${shown.map(note => noteView(reading(ctx), note))}</div>${found.links}`
      return page(ctx, { ...frame('A thread on')(ctx), body })
    },
  })

  const backLink = (ctx: InItem): Html => html`<p><a href="${address(ctx)}">Back to ${nameOf(ctx)}</a></p>`

  /** Back to where the button stands. */
  const next = (ctx: Context & InItem & { readonly discussion?: { readonly id: string }; readonly note?: NoteRow }): string =>
    elsewhere?.(ctx, ctx.discussion?.id ?? ctx.note?.discussion_id) ?? address(ctx)
  return {
    frameOf,
    commentSection,
    endpoints: {
      showTimelinePart,
      showNote,
      showThread,
      showComment: comment.show,
      comment: comment.submit,
      showBegin: begin.show,
      begin: begin.submit,
      showAnswering: answering.show,
      answer: answering.submit,
      showEdit: edit.show,
      edit: edit.submit,
      remove: action({
        route: `POST ${route}/notes/:note_id/delete`,
        of: declarationOf(notes, 'DELETE', /:note_id$/),
        scope: inOneNote,
        next,
        notice: 'The comment was deleted.',
      }),
      tickInNote: tickAction({
        route: `POST ${route}/notes/:note_id/tasks`,
        of: declarationOf(notes, 'PUT', /:note_id$/),
        scope: inOneNote,
        stored: async ({ db, note }) => ['body', await lockNoteBody(db, note.id)],
        next: ctx => address(ctx, `#note_${ctx.note.id}`),
      }),
      ...reactionEndpoints<InItem>({
        route,
        scope,
        api,
        address,
        notesAlone,
        mayReact: ctx => frameOf(ctx).mayReact,
        frame: frame('Reactions to'),
        backLink,
      }),
      ...(resolvable
        ? {
            resolve: action({
              route: `POST ${route}/discussions/:discussion_id/resolve`,
              of: declarationOf(threads, 'PUT', /:discussion_id$/),
              scope: inThread,
              next,
              notice: 'The thread was changed.',
            }),
          }
        : {}),
    },
  }
}
