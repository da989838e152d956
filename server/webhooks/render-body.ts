import type { SentEventType } from '#contract/webhook-events.ts'
import { WEBHOOK_VERSION } from '#contract/webhook-events.ts'
import type { WebhookFormat } from '#contract/webhooks.ts'
import type { Rendered } from './render-event.ts'

/** Slack parses these three as markup. */
const escapeSlack = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const toSlack = ({ words: { title, text, link } }: Rendered) => {
  const name = escapeSlack(title)
  const heading = link ? `<${link}|${name}>` : name
  return {
    // Shown in phone notifications.
    text: name,
    blocks: [
      { type: 'section', text: { type: 'mrkdwn', text: `*${heading}*${text === '' ? '' : `\n${escapeSlack(text)}`}` } },
    ],
  }
}

/** Names are chosen by customers. In a TextBlock, Teams would turn `[text](address)` in them into links. */
const toLiteralText = (text: string, look: object = {}) => ({
  type: 'RichTextBlock',
  inlines: [{ type: 'TextRun', text, ...look }],
})

const toTeams = ({ words: { title, text, link } }: Rendered) => ({
  type: 'message',
  attachments: [
    {
      contentType: 'application/vnd.microsoft.card.adaptive',
      content: {
        $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
        type: 'AdaptiveCard',
        version: '1.4',
        body: [
          toLiteralText(title, { size: 'Medium', weight: 'Bolder' }),
          ...(text === '' ? [] : [toLiteralText(text)]),
        ],
        ...(link && { actions: [{ type: 'Action.OpenUrl', title: 'Open', url: link }] }),
      },
    },
  ],
})

/** The body of a request, in the format of its endpoint. */
export const renderBody = (format: WebhookFormat, type: SentEventType, at: Date, rendered: Rendered): string => {
  if (format === 'slack') return JSON.stringify(toSlack(rendered))
  if (format === 'teams') return JSON.stringify(toTeams(rendered))
  return JSON.stringify({ type, version: WEBHOOK_VERSION, timestamp: at.toISOString(), data: rendered.data })
}
