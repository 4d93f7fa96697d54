import { randomBytes } from 'node:crypto'
import { DEMO_STORE_PATH, formatPrice, type Pack } from '@mendframe/contract'

/** The event that a real store would send after a payment. */
export function demoEvent(pack: Pack, form: URLSearchParams, now: Date): string {
  const id = randomBytes(12).toString('hex')
  return JSON.stringify({
    id: `evt_demo_${id}`,
    object: 'event',
    type: 'checkout.session.completed',
    created: Math.floor(now.getTime() / 1000),
    data: {
      object: {
        id: `cs_demo_${id}`,
        object: 'checkout.session',
        client_reference_id: form.get('reference') ?? '',
        payment_status: 'paid',
        customer_details: {
          email: (form.get('email') ?? '').slice(0, 254),
          name: (form.get('name') ?? '').slice(0, 200) || 'Demo customer',
        },
        metadata: { pack: pack.id },
        invoice: `in_demo_${id}`,
        payment_intent: `pi_demo_${id}`,
        subscription: null,
      },
    },
  })
}

/** The labelled page with its one button. */
export function demoPage(pack: Pack, reference: string): string {
  return page(
    'Demo store',
    `<p class="label">Demonstration. Nothing is charged and no card is asked for.</p>
<h1>${escapeText(describePack(pack))}</h1>
<p>${formatPrice(pack.price)} USD, ${pack.subscription === 'Monthly' ? 'for 30 days' : 'for one year'}</p>
<form method="post" action="${DEMO_STORE_PATH}/pay">
<input type="hidden" name="pack" value="${escapeText(pack.id)}">
<input type="hidden" name="reference" value="${escapeText(reference)}">
<p><label>Name on the invoice<br><input name="name" maxlength="200" autocomplete="name"></label></p>
<p><label>Email on the invoice<br><input name="email" type="email" maxlength="254" autocomplete="email"></label></p>
<button type="submit">Complete the demo purchase</button>
</form>`,
  )
}

export function donePage(pack: Pack, done: boolean): string {
  return done
    ? page(
        'Purchase complete',
        `<p class="label">Demonstration</p><h1>Thank you</h1><p>${escapeText(describePack(pack))} is now in your account.</p><p><a href="/">Back to Mendframe</a></p>`,
      )
    : page(
        'Purchase not complete',
        `<p class="label">Demonstration</p><h1>The purchase was not recorded</h1><p>Please begin again from the plans of your account.</p><p><a href="/">Back to Mendframe</a></p>`,
      )
}

function describePack(pack: Pack): string {
  return `${pack.count} ${pack.product} repairs, ${pack.subscription.toLowerCase()}`
}

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title>
<style>body{margin:0;background:#f6f1e7;color:#1d2433;font:17px/1.6 Georgia,serif}main{max-width:32rem;margin:0 auto;padding:3rem 1.5rem}.label{border:1px solid #c9a24b;padding:.5rem .75rem;display:inline-block}input:not([type=hidden]){font:inherit;padding:.4rem;width:100%;box-sizing:border-box;border:1px solid #9a9484;background:#fff}button{font:inherit;padding:.7rem 1.2rem;background:#1d2433;color:#fbf8f1;border:0;border-bottom:3px solid #c9a24b;cursor:pointer}</style></head>
<body><main>${body}</main></body></html>
`
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
