/** The view of a suggestion: the lines as they are and as they would be, and a button that applies it. Pure. */
import type { Context } from '../../platform/kernel/context.ts'
import { chip } from '../../platform/pages/components/chip.ts'
import { actionButton } from '../../platform/pages/forms/action.ts'
import { type Html, html } from '../../platform/pages/html.ts'

/** A suggestion, as its API answers it. */
export interface ShownSuggestion {
  readonly id: number
  readonly from_line: number
  readonly to_line: number
  readonly appliable: boolean
  readonly applied: boolean
  readonly from_content: string
  readonly to_content: string
}

/** What a caller may do with suggestions, and where. */
export interface SuggestionFrame {
  readonly ctx: Pick<Context, 'actor' | 'deps'>
  /** The path of the merge request's page. */
  readonly page: string
  readonly maySay: boolean
}

export function suggestionView({ ctx, page, maySay }: SuggestionFrame, suggestion: ShownSuggestion): Html {
  const { id, from_line, to_line, appliable, applied } = suggestion
  const place = from_line === to_line ? `line ${from_line}` : `lines ${from_line} to ${to_line}`
  const state = applied
    ? chip('Applied', 'success', 'check')
    : !appliable
      ? html`<span class="muted">It cannot be applied any more: the branch or the lines have changed.</span>`
      : maySay &&
        html`<span class="row">${actionButton(ctx, { to: `${page}/suggestions/${id}/apply`, face: 'Apply', label: `Apply the suggestion for ${place}` })}<a class="btn btn-sm" href="${page}/suggestions" data-turbo-frame="_top">Choose several</a></span>`
  return html`<section class="panel suggestion" aria-label="Suggested change of ${place}"><header class="row apart small"><span>Suggested change of ${place}</span>${state}</header>${suggestedLines(suggestion)}</section>`
}

/** The lines that a suggestion takes away and adds. */
export function suggestedLines({ from_content, to_content }: Pick<ShownSuggestion, 'from_content' | 'to_content'>): Html {
  const row = (type: 'removed' | 'added') => (text: string) =>
    html`<tr class="${type}"><td class="sign"></td><td class="text"><span class="sr-only">${type}: </span>${text}</td></tr>`
  return html`<table class="code diff" aria-label="The suggested change"><tbody>${linesOf(from_content).map(row('removed'))}${linesOf(to_content).map(row('added'))}</tbody></table>`
}

/** Lines without their ends; none of an empty text. */
const linesOf = (text: string): readonly string[] => (text === '' ? [] : text.replace(/\r?\n$/, '').split('\n'))
