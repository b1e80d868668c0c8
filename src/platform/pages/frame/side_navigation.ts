import { icon } from '../components/icon.ts'
import { type Html, html } from '../html.ts'
import type { Side } from './place.ts'

/** The pages beside each other in one place, below their headings; a row that scrolls where the window is narrow. */
export const sideNavigation = ({ label, current, groups, search }: Side): Html =>
  html`<div class="side">${search && html`<form class="side-search" action="${search.action}" role="search" aria-label="${search.label}"><label class="sr-only" for="side-search">${search.label}</label><input class="form-control input-sm" type="search" id="side-search" name="search" placeholder="${search.label}"></form>`}<nav class="side-navigation" aria-label="${label}">${groups.map(
    ({ title, items }) =>
      html`<div class="side-group">${title !== undefined && html`<p class="side-title">${title}</p>`}<ul>${items.map(
        ({ key, label: name, icon: face, href }) =>
          html`<li><a href="${href}"${key === current && html` aria-current="page"`}>${icon(face)}${name}</a></li>`,
      )}</ul></div>`,
  )}</nav></div>`
