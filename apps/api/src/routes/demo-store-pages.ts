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
<label>Name on the invoice<input name="name" maxlength="200" autocomplete="name"></label>
<label>Email on the invoice<input name="email" type="email" maxlength="254" autocomplete="email"></label>
<button type="submit">Complete the demo purchase</button>
</form>`,
  )
}

export function donePage(pack: Pack, done: boolean): string {
  return done
    ? page(
        'Purchase complete',
        `<p class="label">Demonstration. Nothing was charged.</p><h1>Thank you</h1><p>${escapeText(describePack(pack))}: now in your account.</p><a class="button" href="/">Back to Mendframe</a>`,
      )
    : page(
        'Purchase not complete',
        `<p class="label">Demonstration. Nothing was charged.</p><h1>The purchase was not recorded</h1><p>Please begin again from the plans of your account.</p><a class="button" href="/">Back to Mendframe</a>`,
      )
}

function describePack(pack: Pack): string {
  return `${pack.count} ${pack.product} repairs, ${pack.subscription.toLowerCase()}`
}

/** The colours of the site, by day and by night. */
const STYLE = `:root{color-scheme:light dark;--ground:light-dark(oklch(.976 .006 92),oklch(.185 .03 262));--panel:light-dark(oklch(.994 .003 92),oklch(.225 .032 262));--ink:light-dark(oklch(.235 .04 262),oklch(.955 .008 92));--soft:light-dark(oklch(.41 .032 262),oklch(.8 .014 262));--mist:light-dark(oklch(.885 .01 255),oklch(.34 .03 262));--edge:oklch(.6 .024 260);--seam:light-dark(oklch(.785 .142 82),oklch(.81 .132 84));--seam-line:light-dark(oklch(.625 .125 74),oklch(.8 .13 84));--wash:light-dark(oklch(.95 .035 88),oklch(.27 .04 80))}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;padding:2rem 1.25rem;background:var(--ground);color:var(--ink);font:1.0625rem/1.6 "Source Sans 3 Variable","Source Sans 3",system-ui,sans-serif}
main{width:100%;max-width:34rem;padding:2rem;background:var(--panel);border:1px solid var(--mist);border-radius:.375rem}
.label{margin:0 0 1.75rem;padding:.625rem .875rem;background:var(--wash);border:1px solid var(--seam-line);border-radius:.375rem;font-size:.9375rem}
h1{margin:0;font-size:1.75rem;line-height:1.2;letter-spacing:-.02em;text-wrap:balance}
h1+p{margin:.5rem 0 1.75rem;color:var(--soft)}
label{display:block;margin-bottom:1.25rem;font-size:.9375rem;font-weight:600}
label input{display:block;width:100%;height:3rem;margin-top:.375rem;padding:0 .75rem;font:inherit;font-size:1.0625rem;font-weight:400;color:inherit;background:var(--panel);border:1px solid var(--edge);border-radius:.375rem}
button,.button{display:block;width:100%;padding:.75rem 1.25rem;font:inherit;font-weight:600;text-align:center;text-decoration:none;color:oklch(.2 .04 262);background:var(--seam);border:0;border-radius:.375rem;cursor:pointer}
:focus-visible{outline:3px solid var(--ink);outline-offset:2px}`

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title>
<style>${STYLE}</style></head>
<body><main>${body}</main></body></html>
`
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
