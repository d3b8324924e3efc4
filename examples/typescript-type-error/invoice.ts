// The amount comes out of a form as text.
interface Invoice {
  amount: number;
}

function fromForm(amount: string): Invoice {
  return { amount: amount };
}

console.log(fromForm("12.50").amount * 2);
