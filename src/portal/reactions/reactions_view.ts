/** Reactions to something: who reacted with what, and the menu to react. Pure. */
import type { Reaction } from '../../collaboration/award_emoji/queries.ts'
import { emojiOf } from '../../collaboration/markdown/document.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { icon } from '../../platform/pages/components/icon.ts'
import { actionButton } from '../../platform/pages/forms/action.ts'
import { csrfField } from '../../platform/pages/forms/declare.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import type { ProjectRow } from '../../spaces/projects/queries.ts'
import type { Emoji } from './emoji.ts'

/** The reactions that can be given by one click; the others are found by their names. */
export const offered = ['thumbsup', 'thumbsdown', 'tada', 'heart', 'rocket', 'eyes'] as const

type Caller = Pick<Context, 'actor' | 'deps'>

/** `Ada, Bo and 3 others reacted with tada` */
export function whoReacted({ name, count, names }: Reaction): string {
  const others = count - names.length
  if (count === 0) return `Nobody has reacted with ${name.replaceAll('_', ' ')} yet`
  const all = others > 0 ? [...names, `${others} ${others === 1 ? 'other' : 'others'}`] : names
  const who = all.length > 1 ? `${all.slice(0, -1).join(', ')} and ${all.at(-1)}` : (all[0] ?? '')
  return `${who} reacted with ${name.replaceAll('_', ' ')}`
}

/** The id of the frame with what is found; `at`: the address of what is reacted to. */
const frameIdOf = (at: string): string => `emoji-${at.replace(/^.*\/-\//, '').replaceAll('/', '-')}`

/** Is it a note? A page has many of those: what their menus offer is loaded once one is opened. */
const isOfNote = (at: string): boolean => /\/notes\/\d+$/.test(at)

/** Thumbs, which the items of a project always show if it says so (`show_default_award_emojis`). */
const thumbs = ['thumbsup', 'thumbsdown'] as const

/** The reactions, with thumbs before them where these are always shown: as buttons, also while nobody has given any. */
export const withThumbs = (
  reactions: readonly Reaction[],
  { show_default_award_emojis: always }: Pick<ProjectRow, 'show_default_award_emojis'>,
): readonly Reaction[] =>
  always
    ? [
        ...thumbs.map(name => reactions.find(given => given.name === name) ?? { name, count: 0, names: [], own: undefined }),
        ...reactions.filter(({ name }) => !thumbs.some(thumb => thumb === name)),
      ]
    : reactions

/** The reactions to something at the address `at`, and the menu to react. */
export function reactionsView(
  { ctx, mayReact }: { readonly ctx: Caller; readonly mayReact: boolean },
  at: string,
  reactions: readonly Reaction[],
): Html | undefined {
  const shown = reactions.filter(({ count }) => mayReact || count > 0)
  if (shown.length === 0 && !mayReact) return undefined
  const given = shown.map(reaction => {
    const { name, count, own } = reaction
    const face = html`<span class="emoji" aria-hidden="true">${emojiOf(name)}</span> ${count}`
    const who = whoReacted(reaction)
    if (!mayReact) return html`<a class="reaction" href="${at}/reactions" title="${who}">${face}<span class="sr-only"> ${who}</span></a>`
    const says = `${own === undefined ? 'React with' : 'Take back'} ${name}: ${count}`
    return html`<span class="reaction-given" title="${who}">${actionButton(
      ctx,
      own === undefined
        ? { to: `${at}/reactions`, face, label: says, sends: { name }, title: who }
        : { to: `${at}/reactions/${own}/delete`, face, label: says, title: who, isOn: true },
    )}</span>`
  })
  return html`<div class="reactions">${given}${
    mayReact &&
    menuView(
      ctx,
      at,
      shown.some(({ count }) => count > 0),
    )
  }</div>`
}

function menuView(ctx: Caller, at: string, isGiven: boolean): Html {
  const id = frameIdOf(at)
  return html`<details class="menu start reaction-menu"><summary class="bar-button" aria-label="React" title="React">${icon('smiley')}</summary><div class="menu-items">${!isOfNote(at) && emojiButtons(ctx, at, shortcuts)}<turbo-frame id="${id}-menu" loading="lazy" src="${at}/reactions"><a href="${at}/reactions" data-turbo-frame="_top">Find an emoji</a></turbo-frame>${isGiven && html`<a href="${at}/reactions">Who reacted</a>`}</div></details>`
}

const shortcuts = offered.map(name => ({ name, character: emojiOf(name) }))

const emojiButtons = (ctx: Caller, at: string, emoji: readonly Pick<Emoji, 'name' | 'character'>[]): Html =>
  html`<form method="post" action="${at}/reactions" class="emoji-grid" data-turbo-frame="_top">${csrfField(ctx)}${emoji.map(({ name, character }) => html`<button name="name" value="${name}" class="emoji-button" aria-label="React with ${name}" title="${name}">${character}</button>`)}</form>`

const searchForm = (at: string, id: string, search: string): Html =>
  html`<live-search><form action="${at}/reactions" class="filter-bar" data-turbo-frame="${id}" role="search"><label class="sr-only" for="${id}-search">Find an emoji</label><input class="form-control input-sm" type="search" id="${id}-search" name="search" value="${search}" placeholder="Find an emoji" autocomplete="off" autocapitalize="none" spellcheck="false"><button class="btn btn-sm">Find</button></form></live-search>`

/** What the menu loads once it is opened: a field to search by, and the first emoji. */
export const pickerView = (ctx: Caller, at: string, found: readonly Emoji[]): Html =>
  html`<turbo-frame id="${frameIdOf(at)}-menu">${isOfNote(at) && emojiButtons(ctx, at, shortcuts)}${searchForm(at, frameIdOf(at), '')}${foundView(ctx, at, found)}</turbo-frame>`

/** What is found. */
export const foundView = (ctx: Caller, at: string, found: readonly Emoji[]): Html =>
  html`<turbo-frame id="${frameIdOf(at)}" target="_top">${found.length === 0 ? html`<p class="muted small">No emoji is called so.</p>` : emojiButtons(ctx, at, found)}<p class="sr-only" role="status">${found.length} emoji</p></turbo-frame>`

/** The page of the reactions to something: who reacted, and all emoji to react with. */
export const reactionsPage = (
  { ctx, mayReact }: { readonly ctx: Caller; readonly mayReact: boolean },
  at: string,
  { reactions, search, found }: { readonly reactions: readonly Reaction[]; readonly search: string; readonly found: readonly Emoji[] },
): Html =>
  html`${
    reactions.length === 0
      ? html`<p class="muted">Nobody has reacted yet.</p>`
      : html`<ul class="list">${reactions.map(reaction => html`<li><span class="emoji" aria-hidden="true">${emojiOf(reaction.name)}</span><div class="main">${whoReacted(reaction)}</div><span class="muted">${reaction.count}</span></li>`)}</ul>`
  }${mayReact && html`<section class="section"><h2>React</h2>${emojiButtons(ctx, at, shortcuts)}${searchForm(at, frameIdOf(at), search)}${foundView(ctx, at, found)}</section>`}`
