/** What was done, as sentences (the JSON of the events API becomes HTML). */
import type { Static } from 'typebox'
import { avatar } from '../../platform/pages/components/avatar.ts'
import { pageLink } from '../../platform/pages/components/page_link.ts'
import { time } from '../../platform/pages/components/time.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { commitPage, encodePath, revisionPage } from '../repository/addresses.ts'
import type { FeedEntry } from './entity.ts'

type Entry = Static<typeof FeedEntry.schema>

/** Where an entry happened: the full path and name of its project. */
export interface EntryPlace {
  readonly full_path: string
  readonly name: string
}

/** A list of entries. `places`: their projects by id. */
export const activityList = (entries: readonly Entry[], places: ReadonlyMap<number, EntryPlace>): Html =>
  html`<ul class="list">${entries.map(entry => {
    const place = places.get(entry.project_id)
    return html`<li>${avatar(entry.author, 32)}<div class="main"><div><a class="strong quiet" href="/${entry.author_username}">${entry.author.name}</a> ${place ? sentenceOf(entry, place) : entry.action_name}</div><div class="facts">${place && html`<a class="quiet" href="/${place.full_path}">${place.full_path}</a>`}${time(entry.created_at)}</div></div></li>`
  })}</ul>`

/** What the parts of an address are called for each kind of target. */
export const targets: Readonly<Record<string, { readonly page: string; readonly sigil: string; readonly noun: string }>> = {
  Issue: { page: 'issues', sigil: '#', noun: 'issue' },
  MergeRequest: { page: 'merge_requests', sigil: '!', noun: 'merge request' },
  Milestone: { page: 'milestones', sigil: '%', noun: 'milestone' },
}

function sentenceOf(entry: Entry, place: EntryPlace): Html {
  if (entry.push_data) return pushSentence(entry, entry.push_data, place)
  const target = entry.target_type === null ? undefined : targets[entry.target_type]
  if (entry.note) return noteSentence(entry, entry.note, place)
  if (entry.wiki_page)
    return html`${entry.action_name} wiki page ${pageLink(`/${place.full_path}/-/wikis/${encodePath(entry.wiki_page.slug)}`, entry.wiki_page.title)}`
  if (entry.target_type === 'Snippet')
    return html`${entry.action_name} snippet ${pageLink(`/${place.full_path}/-/snippets/${entry.target_id}`, `$${entry.target_id} ${entry.target_title}`)}`
  if (!target) return html`${entry.action_name} ${entry.target_title ?? place.name}`
  return html`${entry.action_name} ${target.noun} ${pageLink(`/${place.full_path}/-/${target.page}/${entry.target_iid}`, `${target.sigil}${entry.target_iid} ${entry.target_title}`)}`
}

/** Where a comment stands, and what it is about. */
export function noteTarget({ target_title }: Entry, note: NonNullable<Entry['note']>, place: Pick<EntryPlace, 'full_path'>) {
  const { noteable_type: type, noteable_iid: iid, commit_id, id } = note
  if (type === 'Commit')
    return { path: `${commitPage(place, String(commit_id))}#note_${id}`, name: `${String(commit_id).slice(0, 8)} ${target_title}` }
  if (type === 'Snippet')
    return { path: `/${place.full_path}/-/snippets/${note.noteable_id}#note_${id}`, name: `$${note.noteable_id} ${target_title}` }
  const [page, sigil] = type === 'Issue' ? ['issues', '#'] : ['merge_requests', '!']
  return { path: `/${place.full_path}/-/${page}/${iid}#note_${id}`, name: `${sigil}${iid} ${target_title}` }
}

function noteSentence(entry: Entry, note: NonNullable<Entry['note']>, place: EntryPlace): Html {
  const { path, name } = noteTarget(entry, note, place)
  return html`${entry.action_name} ${note.noteable_type === 'Commit' && 'commit '}${pageLink(path, name)}<div class="muted truncate-lines">${note.body.slice(0, SHOWN)}</div>`
}

/** Characters of a comment that an entry shows. */
const SHOWN = 200

function pushSentence(entry: Entry, push: NonNullable<Entry['push_data']>, place: EntryPlace): Html {
  if (push.ref === null) return html`${entry.action_name} ${push.ref_count ?? 'several'} references`
  const noun = push.ref_type === 'tag' ? 'tag' : 'branch'
  if (push.action === 'removed') return html`deleted ${noun} <strong>${push.ref}</strong>`
  const more = push.commit_count > 1 && html` and ${push.commit_count - 1} more`
  return html`${entry.action_name} ${noun} <a href="${revisionPage(place, 'tree', push.ref)}">${push.ref}</a>${push.commit_title !== null && push.commit_to !== null && html`<div><a class="mono small" href="${commitPage(place, push.commit_to)}">${push.commit_to.slice(0, 8)}</a> <a class="quiet muted" href="${commitPage(place, push.commit_to)}">${push.commit_title}</a><span class="muted">${more}</span></div>`}`
}
