/** A question and its answer, a string per paragraph. */
export interface Question {
  readonly question: string
  readonly answer: readonly string[]
}

/** schema.org FAQPage of questions and their answers. */
export function faqData(questions: readonly Question[]) {
  return {
    '@context': 'https://schema.org',
    '@type': 'FAQPage',
    mainEntity: questions.map(({ question, answer }) => ({
      '@type': 'Question',
      name: question,
      acceptedAnswer: { '@type': 'Answer', text: answer.join(' ') },
    })),
  }
}
