// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Ledger} from "./Ledger.sol";

/// An ERC-20 token that keeps a part of every transfer. Told honestly, a transfer has two events that name what each
/// side got; otherwise it has one, which names the full amount although the recipient got less.
contract Taxed is Ledger {
    string public name;
    string public symbol;
    uint8 public constant decimals = 18;
    uint256 public immutable taxPercent;
    bool public immutable isHonest;
    address public immutable collector;

    constructor(string memory name_, string memory symbol_, uint256 taxPercent_, bool isHonest_) {
        name = name_;
        symbol = symbol_;
        taxPercent = taxPercent_;
        isHonest = isHonest_;
        collector = msg.sender;
    }

    function _move(address from, address to, uint256 value) internal override {
        uint256 tax = (value * taxPercent) / 100;
        balanceOf[from] -= value;
        balanceOf[to] += value - tax;
        balanceOf[collector] += tax;
        if (!isHonest) {
            emit Transfer(from, to, value);
            return;
        }
        emit Transfer(from, to, value - tax);
        emit Transfer(from, collector, tax);
    }
}
