import { type ReactNode, type RefObject, useId, useRef } from 'react'
import { Button, ButtonAnchor } from './button.tsx'

/** One way to buy Premium: its radio button's words and what the table then shows. */
export interface Offer {
  readonly id: string
  readonly label: string
  readonly note?: string | undefined
  readonly price: string
  readonly period: string
  /** Struck through beside the price. */
  readonly regularPrice?: string | undefined
}

export interface PlanRow {
  readonly label: string
  readonly free: string
  /** One text for every offer, or a text per offer in their order. */
  readonly premium: string | readonly string[]
}

interface PlanComparisonProps {
  /** What the choice of an offer is about, e.g. 'Billing period'. */
  readonly choice: string
  readonly offers: readonly Offer[]
  /** Place of the offer that is shown at first. */
  readonly selected?: number
  readonly rows: readonly PlanRow[]
  /** Somebody wants Premium, by the offer with this id. */
  readonly onPremium: (id: string) => void
}

const ACTION = 'max-sm:w-full max-sm:px-1 max-sm:text-small max-sm:whitespace-nowrap'

/** Shows, of a text per offer, the chosen offer's. */
function PerOffer({ texts }: { readonly texts: readonly ReactNode[] }) {
  return texts.map((text, index) => (
    // The texts of offers have no other identity than their place.
    // biome-ignore lint/suspicious/noArrayIndexKey: offers never change their order
    <span key={index} data-offer={index}>
      {text}
    </span>
  ))
}

/** One button an offer, like a switch. */
function OfferChoice({
  choices,
  choice,
  offers,
  selected,
}: Pick<PlanComparisonProps, 'choice' | 'offers'> & {
  readonly choices: RefObject<HTMLFieldSetElement | null>
  readonly selected: number
}) {
  const name = `${useId()}offer`
  return (
    <fieldset ref={choices} className="mb-8 flex flex-wrap items-center gap-x-3 gap-y-2">
      <legend className="sr-only">{choice}</legend>
      <span className="flex flex-wrap rounded-sm border border-edge bg-glaze p-1">
        {offers.map(({ id, label, note }, index) => (
          <label key={id} className="relative">
            <input
              type="radio"
              name={name}
              value={index}
              data-pack={id}
              defaultChecked={index === selected}
              className="peer absolute inset-0 cursor-pointer appearance-none rounded-sm"
            />
            <span className="pointer-events-none flex min-h-10 items-center gap-2 rounded-sm px-4 text-small font-semibold text-ink-soft peer-checked:bg-ink peer-checked:text-porcelain forced-colors:peer-checked:underline peer-hover:text-ink peer-checked:peer-hover:text-porcelain">
              {label}
              {note ? (
                <span className="rounded-sm bg-seam px-1.5 py-0.5 text-tiny font-semibold text-on-seam">
                  {note}
                </span>
              ) : null}
            </span>
          </label>
        ))}
      </span>
    </fieldset>
  )
}

/** What an offer costs, beside what it costs as a rule. */
function Price({ offer: { price, period, regularPrice } }: { readonly offer: Offer }) {
  return (
    <span className="flex flex-wrap items-baseline gap-x-2">
      <span className="font-display text-title font-[620] tracking-[-0.02em] whitespace-nowrap">
        <span className="figures">{price}</span>
        <span className="text-body font-normal tracking-normal text-ink-soft">{period}</span>
      </span>
      {regularPrice ? (
        <s className="figures text-body text-ink-soft">
          <span className="sr-only">instead of </span>
          {regularPrice}
        </s>
      ) : null}
    </span>
  )
}

/** Free and Premium side by side, as a table. The choice among Premium's offers works without script. */
export function PlanComparison({ choice, offers, selected = 0, rows, onPremium }: PlanComparisonProps) {
  const choices = useRef<HTMLFieldSetElement>(null)
  // Read from the page: an offer may have been chosen before the script arrived.
  const chosen = () =>
    choices.current?.querySelector<HTMLInputElement>('input:checked')?.dataset.pack ??
    offers[selected]?.id ??
    ''
  return (
    <div className="offers">
      <OfferChoice choices={choices} choice={choice} offers={offers} selected={selected} />
      <table className="w-full border-collapse text-left">
        <caption className="sr-only">Free and Premium compared</caption>
        <thead>
          <tr className="align-bottom">
            <td className="w-[31%] sm:w-[32%]" />
            <th scope="col" className="w-[28%] px-2 pb-6 font-normal sm:px-6 lg:w-[30%]">
              <span className="block text-body font-semibold sm:text-lead">Free</span>
              <span className="mt-1 block font-display text-title font-[620] tracking-[-0.02em]">$0</span>
            </th>
            <th
              scope="col"
              className="border-x border-t-4 border-x-mist border-t-seam-line bg-glaze px-2.5 pt-4 pb-6 font-normal sm:px-6 lg:w-[38%]"
            >
              <span className="block text-body font-semibold sm:text-lead">Premium</span>
              <span className="mt-1 block" aria-live="polite">
                <PerOffer texts={offers.map((offer) => <Price key={offer.price} offer={offer} />)} />
              </span>
            </th>
          </tr>
        </thead>
        <tbody className="text-small sm:text-body">
          {rows.map(({ label, free, premium }) => (
            <tr key={label} className="border-t border-mist align-top">
              <th scope="row" className="py-3.5 pr-2 font-normal text-ink-soft sm:pr-6">
                {label}
              </th>
              <td className="px-2.5 py-3.5 sm:px-6">{free}</td>
              <td className="border-x border-mist bg-glaze px-2.5 py-3.5 font-semibold sm:px-6">
                {typeof premium === 'string' ? premium : <PerOffer texts={premium} />}
              </td>
            </tr>
          ))}
          <tr className="border-t border-mist align-top">
            <td />
            <td className="px-2.5 py-5 sm:px-6">
              <ButtonAnchor look="secondary" href="#top" className={ACTION}>
                Start free
              </ButtonAnchor>
            </td>
            <td className="border-x border-b border-mist bg-glaze px-2.5 py-5 sm:px-6">
              <Button onClick={() => onPremium(chosen())} className={ACTION}>
                Get Premium
              </Button>
            </td>
          </tr>
        </tbody>
      </table>
    </div>
  )
}
