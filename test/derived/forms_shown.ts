/** The forms of all pages, as an administrator is shown them in the world, and what each is sent to. */
import assert from 'node:assert/strict'
import { SESSION_COOKIE } from '../../src/platform/kernel/request/authenticate.ts'
import { digestOf } from '../../src/platform/kernel/secrets.ts'
import { HTML } from '../../src/platform/pages/dialect.ts'
import { pages } from '../../src/server/pages.ts'
import { encodeQuery } from '../client.ts'
import { notVisited } from './not_visited.ts'
import { requestFor, type World } from './world.ts'

type PageEndpoint = (typeof pages)[number]

/** A form of a page, or a button of one that sends it elsewhere. */
export interface ShownForm {
  /** The endpoint that it is sent to. */
  readonly target: PageEndpoint
  /** The attributes of the element that says where it is sent. */
  readonly tag: string
  /** The elements in it. */
  readonly inside: string
  /** Does it stand in a `turbo-frame`? */
  readonly isInFrame: boolean
  /** The page that shows it. */
  readonly shownBy: string
}

/** The addresses of an endpoint; a full path, and what a `*` stands for, has several segments. */
const addressesOf = ({ path }: PageEndpoint): RegExp =>
  new RegExp(
    `^${path
      .replace(/[.\\]/g, '\\$&')
      .replace(/:\w*_path|\*\w+/g, '.+')
      .replace(/:\w+/g, '[^/]+')}$`,
  )

/** What forms are sent to, the addresses of which more is said first. */
const targets = pages
  .filter(({ method }) => method === 'POST')
  .map(page => ({ page, fits: addressesOf(page), said: page.path.replace(/[:*]\w+/g, '').length }))
  .sort((a, b) => b.said - a.said)

const targetOf = (action = ''): PageEndpoint | undefined => {
  const address = decodeURI(action.split('?', 1)[0] as string)
  return targets.find(({ fits }) => fits.test(address))?.page
}

/** The forms of a document. Their attributes have no `>` in them: `html` escapes it. */
function formsIn(document: string, shownBy: string): ShownForm[] {
  return [...document.matchAll(/<form\b([^>]*)>(.*?)<\/form>/gs)].flatMap(match => {
    const [, tag = '', inside = ''] = match
    const before = document.slice(0, match.index)
    const isInFrame = before.split('<turbo-frame').length > before.split('</turbo-frame').length
    const buttons = [...inside.matchAll(/<button\b([^>]*)>/g)].map(([, button = '']) => button)
    const sent = [
      ...(tag.includes('method="post"') ? [{ tag, to: /action="([^"]*)"/.exec(tag)?.[1] }] : []),
      ...buttons.flatMap(button => [...button.matchAll(/formaction="([^"]*)"/g)].map(([, to]) => ({ tag: `${tag} ${button}`, to }))),
    ]
    return sent.flatMap(each => {
      const target = targetOf(each.to)
      return target ? [{ target, tag: each.tag, inside, isInFrame, shownBy }] : []
    })
  })
}

/** The forms of all pages that tests read. */
export async function formsShown(world: World): Promise<readonly ShownForm[]> {
  const { scene, people } = world
  const secret = 'session-that-reads-forms'
  await scene.deps.database.db
    .insertInto('sessions')
    .values({ digest: digestOf(secret), user_id: people.admin.id, expires_at: '2999-01-01T00:00:00Z' })
    .execute()
  const browser = scene.as({ cookie: `${SESSION_COOKIE}=${secret}` })
  const readable = pages.filter(
    ({ method, route, answers }) =>
      method === 'GET' && answers.kind === 'bytes' && answers.mediaType === HTML && !notVisited.includes(route),
  )
  const found: ShownForm[] = []
  for (const page of readable) {
    const { path, query = {} } = requestFor(world, page, 'admin', 'private')
    const search = encodeQuery(query)
    const { status, body } = await browser.get(scene.url + (search ? `${path}?${search}` : path), {}, { accept: 'text/html' })
    assert.ok(status < 400, `${page.route} answers ${status}`)
    found.push(...formsIn(String(body), page.route))
  }
  return found
}
