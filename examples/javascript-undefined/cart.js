// The list is called "entries" in what the server sends, not "items".
const cart = JSON.parse('{"entries": [{"price": 5}, {"price": 7}]}');

function total(cart) {
  return cart.items.map((item) => item.price).reduce((sum, price) => sum + price, 0);
}

console.log(total(cart));
