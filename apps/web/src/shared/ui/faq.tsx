import { Plus } from 'lucide-react'
import { faqData, type Question } from '../lib/questions.ts'

/**
 * Questions of which one is open at a time, the first one to begin with. Native disclosure elements of one name: they
 * work from the keyboard, are found by the browser's own search, and need no script. Search engines get them as data too.
 */
export function Faq({ name, questions }: { readonly name: string; readonly questions: readonly Question[] }) {
  return (
    <div className="border-t border-mist">
      <script type="application/ld+json">
        {JSON.stringify(faqData(questions)).replaceAll('<', '\\u003c')}
      </script>
      {questions.map(({ question, answer }, index) => (
        <details key={question} name={name} open={index === 0} className="group border-b border-mist">
          <summary className="flex list-none items-start justify-between gap-6 rounded-sm py-5">
            <h3 className="text-heading">{question}</h3>
            <Plus
              aria-hidden
              size={22}
              className="mt-0.5 shrink-0 text-seam-ink transition-transform duration-(--quick) group-open:rotate-45"
            />
          </summary>
          <div className="max-w-[40rem] space-y-3 pb-7 text-ink-soft">
            {answer.map((paragraph) => (
              <p key={paragraph}>{paragraph}</p>
            ))}
          </div>
        </details>
      ))}
    </div>
  )
}
