/**
 * How people answer notifications by mail, in a real browser with real mail servers at both ends: one writes on a page, the other has it by SMTP, opens
 * its link, answers with a mail program (IMAP), and the page of the first shows the answer.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { oauthScene, password } from '../../src/identity/oauth/scene.ts'
import { startMailbox as startReading } from '../../src/integrations/incoming_mail/mailbox/mailbox.ts'
import { startMailbox } from '../../src/integrations/incoming_mail/mailbox/scene.ts'
import { mailSource, takingMail } from '../../src/integrations/incoming_mail/scene.ts'
import { startMailServer } from '../../src/platform/mail/scene.ts'
import { startTaskWorker } from '../../src/server/tasks.ts'
import { atEnd } from '../at_end.ts'
import { eventually } from '../eventually.ts'
import { openScene } from '../scene.ts'
import { startChromium } from './chromium.ts'
import { waysIn } from './hands.ts'
import { signedIn } from './visitor.ts'

/** Of the process: a connection to the mailbox must not gather listeners while nothing comes. */
const warnings: string[] = []
process.on('warning', ({ name }) => warnings.push(name))
const server = await startMailServer()
const mailbox = await startMailbox()
const scene = await openScene({
  settings: { incomingMail: takingMail.incomingMail, smtpUrl: `smtp://127.0.0.1:${server.port}`, imapUrl: mailbox.url },
})
const worker = await startTaskWorker(scene.deps, { concurrency: 1 })
const reader = startReading(scene.deps, { poll: 50 })
atEnd(async () => {
  await worker.stop()
  await reader.stop()
})
const { surfer } = oauthScene(scene)
const browser = await startChromium()
atEnd(() => browser.close())
const { url } = scene

const button = (page: Page, name: string) => page.getByRole('main').getByRole('button', { name, exact: true })

describe('a person answers a notification by mail', () => {
  for (const [index, [way, options, hands]] of waysIn(import.meta.url).entries())
    test(way, async () => {
      const [writer, recipient] = [await surfer(), await surfer()]
      const { project } = await scene.project({ visibility: 'private', name: `Lanterns ${index}` })
      for (const { person } of [writer, recipient])
        await scene.root.post(`${project.url}/members`, { user_id: person.id, access_level: 30 })
      assert.match((await server.mailTo(recipient.person.email)).text, /a member of the project/)
      const { body: issue } = await scene.root.post(`${project.url}/issues`, { title: `The lamp ${index} flickers` })
      const issuePath = `/${project.full_path}/-/issues/${issue.iid}`
      const notes = async () => (await scene.root.get(`${project.url}/issues/${issue.iid}/notes`, { sort: 'asc' })).body

      // One asks another on a page.
      const asks = await signedIn(browser, url, options, { username: writer.person.username, password })
      const by = hands(asks.page)
      await asks.visit(issuePath)
      await by.write(asks.page.locator('textarea[name=body]'), `@${recipient.person.username} which wick?`)
      await by.press(button(asks.page, 'Comment'))
      await asks.page.waitForSelector('.note-card:has-text("which wick?")')

      // The other has it by mail, and its link leads to the comment.
      const mail = await server.mailTo(recipient.person.email)
      assert.match(mail.text, /which wick\?/)
      const [, address = ''] = /<a href="([^"]+\/-\/issues\/[^"]+)">/.exec(mail.html) ?? []
      assert.ok(address.startsWith(`${url}${issuePath}#note_`), address)
      const opens = await signedIn(browser, url, options, { username: recipient.person.username, password })
      await opens.page.goto(address)
      await opens.page.waitForSelector('.note-card:has-text("which wick?")')
      await opens.check()
      await opens.close()

      // They answer with their mail program; one who only claims to be them does not.
      const to = mail.header('reply-to') ?? ''
      const answer = (from: string, text: string) =>
        mailbox.put(
          mailSource({
            from,
            to,
            subject: `Re: ${mail.header('subject')}`,
            headers: [`In-Reply-To: ${mail.header('message-id')}`, `References: ${mail.header('message-id')}`],
            text: `${text}\n\nOn Tuesday, Ingot wrote:\n> which wick?\n\n-- \nSent from a lighthouse`,
          }),
        )
      answer('stranger@elsewhere.example', 'None, throw it away')
      answer(`Reader <${recipient.person.email}>`, 'The **flat** one')
      await eventually(() => mailbox.messages().length === 0, 'mails that were taken')
      assert.deepEqual(
        (await notes()).map((note: { body: string; author: { username: string } }) => [note.author.username, note.body]),
        [
          [writer.person.username, `@${recipient.person.username} which wick?`],
          [recipient.person.username, 'The **flat** one'],
        ],
      )

      // The page that is open shows the answer by itself; without scripts when it is loaded again.
      if (options.javaScriptEnabled === false) await asks.visit(issuePath)
      await asks.page.waitForSelector('.note-card:has-text("The flat one")')
      await asks.check()

      // And what is written back comes as a mail of the same thread.
      await by.write(asks.page.locator('textarea[name=body]').last(), 'Thank you')
      await by.press(button(asks.page, 'Comment'))
      await asks.page.waitForSelector('.note-card:has-text("Thank you")')
      const back = await server.mailTo(recipient.person.email)
      assert.match(back.text, /Thank you/)
      const thread = mail.header('references') ?? mail.header('in-reply-to') ?? ''
      assert.ok(thread !== '' && (back.header('references') ?? '').includes(thread.split(' ')[0] as string), 'one thread')
      await asks.close()

      // Its link ends such mails.
      const leaves = await signedIn(browser, url, options, { username: recipient.person.username, password })
      const unsubscribe = /<([^>]+)>/.exec(back.header('list-unsubscribe') ?? '')?.[1] ?? ''
      await leaves.page.goto(unsubscribe)
      await leaves.check()
      await hands(leaves.page).press(button(leaves.page, 'Unsubscribe'))
      await leaves.page.getByRole('heading', { name: 'You are unsubscribed' }).waitFor()
      await leaves.check()
      await leaves.close()
    })

  test('and the mailbox is read without leaving anything behind', () => assert.ok(!warnings.includes('MaxListenersExceededWarning')))
})
