/** The lists of projects and groups, one's own and all, as a navigation. */
import type { Context } from '../../platform/kernel/context.ts'
import { type Html, html } from '../../platform/pages/html.ts'

const areas = [
  ['/dashboard/projects', 'Your projects', true],
  ['/dashboard/projects?filter=starred', 'Starred', true],
  ['/dashboard/groups', 'Your groups', true],
  ['/-/snippets', 'Your snippets', true],
  ['/explore', 'Explore projects', false],
  ['/explore/groups', 'Explore groups', false],
  ['/explore/projects/topics', 'Topics', false],
  ['/explore/snippets', 'Snippets', false],
] as const

/** @param current the address of the one that is shown */
export const areasView = ({ actor }: Pick<Context, 'actor'>, current: string): Html =>
  html`<nav class="subnav" aria-label="Lists">${areas.filter(([, , isOwn]) => !isOwn || actor.user).map(([href, label]) => html`<a href="${href}"${href === current && html` aria-current="page"`}>${label}</a>`)}</nav>`
